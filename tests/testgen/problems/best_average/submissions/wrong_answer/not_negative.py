n, k = map(int, input().split())
a = list(map(float, input().split()))
low, high = 0.0, 1001.0
for _ in range(50):
    middle = (low + high) / 2
    least = total = behind = 0.0
    good = False
    for i in range(n):
        total += a[i] - middle
        if i >= k - 1:
            if i >= k:
                behind += a[i - k] - middle
                least = min(least, behind)
            if total >= least:
                good = True
                break
    if good:
        low = middle
    else:
        high = middle
print("%.9f" % low)
