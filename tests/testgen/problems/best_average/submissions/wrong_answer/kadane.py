n, k = map(int, input().split())
a = list(map(float, input().split()))
best = total = a[0]
length = 1
for x in a[1:]:
    if total < 0:
        total, length = 0.0, 0
    total += x
    length += 1
    if length >= k:
        best = max(best, total / length)
print(best)
