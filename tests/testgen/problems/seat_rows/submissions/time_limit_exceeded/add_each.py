import sys
data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
b = data[2 : 2 + n]
rest = data[2 + n :]
for l, r in zip(rest[::2], rest[1::2]):
    print(sum(b[l - 1 : r]) % 1000000007)
