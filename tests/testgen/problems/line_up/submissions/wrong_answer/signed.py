n = int(input())
a = list(map(int, input().split()))
p = sorted(range(n), key=lambda i: a[i])
print(*[i + 1 for i in p])
