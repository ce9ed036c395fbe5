import sys
data = list(map(int, sys.stdin.buffer.read().split()))
best = here = data[1]
for g in data[2:]:
    here = g if here < 0 else here + g
    if here > best:
        best = here
print(best)
