import sys
def main():
    n, *ends = map(int, sys.stdin.read().split())
    degree, joined = [0] * (n + 1), [0] * (n + 1)
    for u, v in zip(ends[::2], ends[1::2]):
        degree[u] += 1
        degree[v] += 1
        joined[u] ^= v
        joined[v] ^= u
    deep, best = [0] * (n + 1), 0
    layer = [v for v in range(1, n + 1) if degree[v] == 1]
    removed = 0
    while layer and removed < n - 1:
        u = layer.pop()
        if degree[u] != 1:
            continue
        removed += 1
        v = joined[u]
        best = max(best, deep[v] + deep[u] + 1)
        deep[v] = max(deep[v], deep[u] + 1)
        degree[u] = 0
        degree[v] -= 1
        joined[v] ^= u
        if degree[v] == 1:
            layer.append(v)
    print(best)
main()
