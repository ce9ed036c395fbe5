import sys
from heapq import heappop, heappush
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u].append((v, w))
    near[v].append((u, w))
far = [None] * (n + 1)
heap = [(0, 1)]
while heap:
    d, u = heappop(heap)
    if far[u] is not None:
        continue
    far[u] = d
    for v, w in near[u]:
        if far[v] is None:
            heappush(heap, (d + w, v))
print(-1 if far[n] is None else far[n])
