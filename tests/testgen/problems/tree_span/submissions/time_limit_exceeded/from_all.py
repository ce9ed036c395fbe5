import sys
data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
near = [[] for _ in range(n + 1)]
for u, v in zip(data[1::2], data[2::2]):
    near[u].append(v)
    near[v].append(u)
best = 0
for start in range(1, n + 1):
    far = {start: 0}
    layer = [start]
    for u in layer:
        for v in near[u]:
            if v not in far:
                far[v] = far[u] + 1
                layer.append(v)
    best = max(best, far[layer[-1]])
print(best)
