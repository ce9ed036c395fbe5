import sys
from itertools import accumulate
data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
total = [0, *accumulate(data[2 : 2 + n])]
rest = data[2 + n : 2 + n + 2 * min(q, n)]
for l, r in zip(rest[::2], rest[1::2]):
    print((total[r] - total[l - 1]) % 1000000007)
