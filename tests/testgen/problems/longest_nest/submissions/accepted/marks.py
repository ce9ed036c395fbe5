import sys
s = sys.stdin.readline().strip()
paired = [0] * len(s)
stack = []
for i, c in enumerate(s):
    if c == "(":
        stack.append(i)
    elif stack:
        paired[i] = paired[stack.pop()] = 1
best = here = 0
for mark in paired:
    here = here + 1 if mark else 0
    best = max(best, here)
print(best)
