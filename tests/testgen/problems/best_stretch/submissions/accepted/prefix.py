n = int(input())
total = low = 0
best = None
for g in map(int, input().split()):
    total += g
    if best is None or total - low > best:
        best = total - low
    low = min(low, total)
print(best)
