import sys
data = list(map(int, sys.stdin.read().split()))
events = sorted([(s, 1) for s in data[1::2]] + [(e, 0) for e in data[2::2]])
free, count, running = 0, 0, False
for time, starts in events:
    if starts and not running:
        running = True
    elif not starts and running:
        running = False
        count += 1
print(count)
