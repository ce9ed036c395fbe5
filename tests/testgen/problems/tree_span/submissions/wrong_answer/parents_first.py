import sys
data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
parent = [0] * (n + 1)
for u, v in zip(data[1::2], data[2::2]):
    parent[max(u, v)] = min(u, v)
deep, best = [0] * (n + 1), 0
for u in range(n, 1, -1):
    p = parent[u]
    best = max(best, deep[p] + deep[u] + 1)
    deep[p] = max(deep[p], deep[u] + 1)
print(best)
