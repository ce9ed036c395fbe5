import sys
from collections import deque
data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
near = [[] for _ in range(n + 1)]
for u, v in zip(data[1::2], data[2::2]):
    near[u].append(v)
    near[v].append(u)
branch, deepest = {1: 0}, {}
far = {1: 0}
queue = deque([1])
while queue:
    u = queue.popleft()
    for v in near[u]:
        if v not in far:
            far[v] = far[u] + 1
            branch[v] = v if u == 1 else branch[u]
            deepest[branch[v]] = max(deepest.get(branch[v], 0), far[v])
            queue.append(v)
print(sum(sorted(deepest.values())[-2:]))
