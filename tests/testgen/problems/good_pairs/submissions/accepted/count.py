from collections import Counter
n, k = map(int, input().split())
seen = Counter()
pairs = 0
for a in map(int, input().split()):
    pairs += seen[-a % k]
    seen[a % k] += 1
print(pairs)
