n, k = map(int, input().split())
a = sorted(set(map(int, input().split())))
seen = {}
pairs = 0
for x in a:
    pairs += seen.get(-x % k, 0)
    seen[x % k] = seen.get(x % k, 0) + 1
print(pairs)
