n, k = map(int, input().split())
a = list(map(float, input().split()))
best = -1e18
s = [0.0]
for x in a:
    s.append(s[-1] + x)
for j in range(k, n + 1):
    for i in range(0, j - k + 1):
        best = max(best, (s[j] - s[i]) / (j - i))
print(best)
