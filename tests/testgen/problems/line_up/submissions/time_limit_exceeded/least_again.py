n = int(input())
a = list(map(int, input().split()))
left = list(range(n))
p = []
while left:
    i = min(left, key=lambda j: abs(a[j]))
    left.remove(i)
    p.append(i)
print(*[i + 1 for i in p])
