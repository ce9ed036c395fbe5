import sys
from collections import deque
data = list(map(int, sys.stdin.buffer.read().split()))
n, m = data[:2]
near = [[] for _ in range(n + 1)]
for i in range(2, 2 + 3 * m, 3):
    u, v, w = data[i : i + 3]
    near[u].append((w, v))
    near[v].append((w, u))
far = {1: 0}
queue = deque([1])
while queue:
    u = queue.popleft()
    for w, v in sorted(near[u]):
        if v not in far or far[u] + w < far[v]:
            if v not in far:
                queue.append(v)
            far[v] = far[u] + w
print(far.get(n, -1))
