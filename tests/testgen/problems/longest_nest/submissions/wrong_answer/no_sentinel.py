s = input()
stack, best, start = [], 0, 0
for i, c in enumerate(s):
    if c == "(":
        stack.append(i)
    elif stack:
        j = stack.pop()
        best = max(best, i - (stack[-1] if stack else start) + (0 if stack else 1))
    else:
        start = i
print(best)
