import sys
data = list(map(int, sys.stdin.buffer.read().split()))
meetings = sorted(zip(data[2::2], data[1::2]))
count, free = 0, 0
for end, start in meetings:
    if start >= free:
        count += 1
        free = end
print(count)
