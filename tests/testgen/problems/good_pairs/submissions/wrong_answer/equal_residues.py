from collections import Counter
n, k = map(int, input().split())
count = Counter(int(a) % k for a in input().split())
print(sum(c * (c - 1) // 2 for c in count.values()))
