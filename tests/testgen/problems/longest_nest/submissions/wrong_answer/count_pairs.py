s = input().strip()
best = i = 0
while i < len(s):
    depth = longest = 0
    for j in range(i, min(len(s), i + 400)):
        depth += 1 if s[j] == "(" else -1
        if depth < 0:
            break
        if depth == 0:
            longest = j - i + 1
    best = max(best, longest)
    i += max(1, longest)
print(best)
