s = input()
stack, best = [-1], 0
for i, c in enumerate(s):
    if c == "(":
        stack.append(i)
    else:
        stack.pop()
        if not stack:
            stack.append(i)
        else:
            best = max(best, i - stack[-1])
print(best)
