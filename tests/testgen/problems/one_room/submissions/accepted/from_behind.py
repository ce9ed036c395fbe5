n = int(input())
meetings = [tuple(map(int, input().split())) for _ in range(n)]
meetings.sort(reverse=True)
count, limit = 0, 10**10
for start, end in meetings:
    if end <= limit:
        count += 1
        limit = start
print(count)
