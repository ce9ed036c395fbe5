import sys
lines = sys.stdin.read().split("\n")
n, q = map(int, lines[0].split())
s = [0]
for b in lines[1].split():
    s.append(s[-1] + int(b))
out = []
for line in lines[2 : 2 + q]:
    l, r = line.split()
    out.append((s[int(r)] - s[int(l) - 1]) % (10**9 + 7))
print(*out, sep="\n")
