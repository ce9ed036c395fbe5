n = int(input())
g = list(map(int, input().split()))
print(max(sum(g[i:j]) for i in range(n) for j in range(i + 1, n + 1)))
