import sys
from collections import deque
data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
near = [[] for _ in range(n + 1)]
for u, v in zip(data[1::2], data[2::2]):
    near[u].append(v)
    near[v].append(u)
def farthest(start):
    far = [-1] * (n + 1)
    far[start] = 0
    queue = deque([start])
    while queue:
        u = queue.popleft()
        for v in near[u]:
            if far[v] < 0:
                far[v] = far[u] + 1
                queue.append(v)
    return u, far[u]
print(farthest(farthest(1)[0])[1])
