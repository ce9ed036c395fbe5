import sys
data = list(map(int, sys.stdin.read().split()))
n, k = data[:2]
count = {}
for a in data[2:]:
    count[a % k] = count.get(a % k, 0) + 1
twice = 0
for r, c in count.items():
    other = (k - r) % k
    twice += c * (c - 1) if other == r else c * count.get(other, 0)
print(twice // 2)
