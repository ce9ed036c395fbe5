n = int(input())
g = list(map(int, input().split()))
best = here = g[0]
for i in range(1, n - 1):
    here = max(g[i], here + g[i])
    best = max(best, here)
print(best)
