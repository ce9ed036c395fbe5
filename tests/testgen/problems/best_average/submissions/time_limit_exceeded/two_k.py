n, k = map(int, input().split())
a = list(map(float, input().split()))
best = -1e18
s = [0.0]
for x in a:
    s.append(s[-1] + x)
for j in range(k, n + 1):
    for i in range(max(0, j - 2 * k), j - k + 1):
        best = max(best, (s[j] - s[i]) / (j - i))
print(best)
