import sys
from itertools import accumulate
data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
total = [0, *accumulate(data[2 : 2 + n])]
rest = data[2 + n :]
for l, r in zip(rest[::2], rest[1::2]):
    x = total[r] - total[l - 1]
    print(x if x < 1000000007 else x - 1000000007)
