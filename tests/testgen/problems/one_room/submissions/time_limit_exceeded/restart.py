n = int(input())
meetings = [tuple(map(int, input().split())) for _ in range(n)]
count, free = 0, 0
while True:
    fitting = [m for m in meetings if m[0] >= free]
    if not fitting:
        break
    free = min(e for s, e in fitting)
    count += 1
print(count)
