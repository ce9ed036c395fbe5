n = int(input())
best = here = 0
for g in map(int, input().split()):
    here = max(0, here + g)
    best = max(best, here)
print(best)
