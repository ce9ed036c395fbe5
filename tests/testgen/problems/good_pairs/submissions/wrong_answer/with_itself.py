from collections import Counter
n, k = map(int, input().split())
seen = Counter()
pairs = 0
for a in map(int, input().split()):
    seen[a % k] += 1
    pairs += seen[-a % k]
print(pairs)
