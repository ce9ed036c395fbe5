import sys
n = int(input())
g = list(map(int, input().split()))
def go(i):
    if i == n - 1:
        return g[i], g[i]
    best, start = go(i + 1)
    start = g[i] + max(0, start)
    return max(best, start), start
print(go(0)[0])
