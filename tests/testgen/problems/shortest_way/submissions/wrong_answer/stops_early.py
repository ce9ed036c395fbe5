import sys
from heapq import heappop, heappush
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u].append((v, w))
    near[v].append((u, w))
far = {1: 0}
heap = [(0, 1)]
while heap and n not in far:
    d, u = heappop(heap)
    for v, w in near[u]:
        if v not in far or d + w < far[v]:
            far[v] = d + w
            heappush(heap, (d + w, v))
print(far.get(n, -1))
