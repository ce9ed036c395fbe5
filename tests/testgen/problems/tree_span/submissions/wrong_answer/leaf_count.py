import sys
data = list(map(int, sys.stdin.read().split()))
n = data[0]
degree = [0] * (n + 1)
for x in data[1:]:
    degree[x] += 1
leaves = sum(d == 1 for d in degree)
print(n - 1 if leaves <= 2 else n + 1 - leaves if leaves < n - 1 else 2)
