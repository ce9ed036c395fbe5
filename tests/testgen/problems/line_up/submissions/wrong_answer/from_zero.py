n = int(input())
a = list(map(int, input().split()))
p = sorted(range(n), key=lambda i: abs(a[i]))
print(*p)
