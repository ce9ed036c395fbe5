n, k = map(int, input().split())
count = {}
for a in map(int, input().split()):
    count[a % k] = count.get(a % k, 0) + 1
pairs = 0
for r, c in count.items():
    if r == 0:
        pairs += c * (c - 1) // 2
    elif r < k - r:
        pairs += c * count.get(k - r, 0)
print(pairs)
