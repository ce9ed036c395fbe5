n = int(input())
a = list(map(int, input().split()))
where = {abs(x): i for i, x in enumerate(a)}
p = [where[x] for x in sorted(where)]
print(*[i + 1 for i in p])
