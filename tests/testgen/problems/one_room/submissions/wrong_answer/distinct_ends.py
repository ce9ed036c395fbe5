n = int(input())
first = {}
for _ in range(n):
    s, e = map(int, input().split())
    first.setdefault(e, s)
count, free = 0, 0
for e in sorted(first):
    if first[e] >= free:
        count += 1
        free = e
print(count)
