n = int(input())
a = list(map(int, input().split()))
p = sorted(range(n), key=lambda i: abs(a[i]))
q = [0] * n
for k, i in enumerate(p):
    q[i] = k + 1
print(*q)
