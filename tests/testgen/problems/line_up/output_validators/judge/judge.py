import sys
given = open(sys.argv[1]).read().split()
n, a = int(given[0]), list(map(int, given[1:]))
words = sys.stdin.read().split()
try:
    p = [int(word) for word in words]
except ValueError:
    sys.exit(43)
if sorted(p) != list(range(1, n + 1)):
    sys.exit(43)
b = [a[i - 1] for i in p]
sys.exit(42 if all(abs(x) <= abs(y) for x, y in zip(b, b[1:])) else 43)
