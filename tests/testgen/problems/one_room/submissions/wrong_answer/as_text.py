n = int(input())
meetings = [input().split() for _ in range(n)]
meetings.sort(key=lambda m: (m[1], m[0]))
count, free = 0, 0
for start, end in meetings:
    if int(start) >= free:
        count += 1
        free = int(end)
print(count)
