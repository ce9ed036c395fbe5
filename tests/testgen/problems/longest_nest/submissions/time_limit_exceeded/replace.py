s = input()
n = len(s)
marks = [False] * n
changed = True
while changed:
    changed = False
    last = -1
    for i in range(n):
        if marks[i]:
            continue
        if s[i] == ")" and last >= 0 and s[last] == "(":
            marks[last] = marks[i] = changed = True
            last = -1
        else:
            last = i
best = here = 0
for mark in marks:
    here = here + 1 if mark else 0
    best = max(best, here)
print(best)
