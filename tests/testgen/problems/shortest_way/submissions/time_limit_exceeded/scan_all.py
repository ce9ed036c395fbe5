import sys
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u].append((v, w))
    near[v].append((u, w))
far = {1: 0}
done = {}
while far:
    u = min(far, key=far.get)
    d = far.pop(u)
    done[u] = d
    for v, w in near[u]:
        if v not in done:
            far[v] = min(far.get(v, d + w), d + w)
print(done.get(n, -1))
