import sys
from heapq import heappop, heappush
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [{} for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u][v] = w
    near[v][u] = w
far = {}
heap = [(0, 1)]
while heap:
    d, u = heappop(heap)
    if u in far:
        continue
    far[u] = d
    for v, w in near[u].items():
        heappush(heap, (d + w, v))
print(far.get(n, -1))
