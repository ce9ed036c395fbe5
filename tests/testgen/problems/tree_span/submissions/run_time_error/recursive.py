import sys
n = int(input())
near = [[] for _ in range(n + 1)]
for _ in range(n - 1):
    u, v = map(int, input().split())
    near[u].append(v)
    near[v].append(u)
best = 0
def deep(u, parent):
    global best
    most = 0
    for v in near[u]:
        if v != parent:
            d = deep(v, u) + 1
            best = max(best, most + d)
            most = max(most, d)
    return most
deep(1, 0)
print(best)
