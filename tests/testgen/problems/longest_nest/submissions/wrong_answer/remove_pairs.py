s = input()
best = 0
mark = list(s)
stack = []
for i, c in enumerate(s):
    if c == "(":
        stack.append(i)
    elif stack:
        j = stack.pop()
        best = max(best, i - j + 1)
print(best)
