import sys
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u].append((v, w))
    near[v].append((u, w))
far = [1 << 60] * (n + 1)
def visit(u, d):
    if d >= far[u]:
        return
    far[u] = d
    for v, w in near[u]:
        visit(v, d + w)
visit(1, 0)
print(-1 if far[n] == 1 << 60 else far[n])
