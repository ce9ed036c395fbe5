n = int(input())
meetings = sorted(tuple(map(int, input().split())) for _ in range(n))
count, free = 0, 0
for start, end in meetings:
    if start >= free:
        count += 1
        free = end
print(count)
