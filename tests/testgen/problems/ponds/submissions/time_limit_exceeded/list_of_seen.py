import sys
lines = sys.stdin.read().split()
r, c = int(lines[0]), int(lines[1])
grid = lines[2:]
seen = []
sizes = [0]
for i in range(r):
    for j in range(c):
        if grid[i][j] == "~" and (i, j) not in seen:
            stack, size = [(i, j)], 0
            seen.append((i, j))
            while stack:
                y, x = stack.pop()
                size += 1
                for a, b in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                    if 0 <= a < r and 0 <= b < c and grid[a][b] == "~" and (a, b) not in seen:
                        seen.append((a, b))
                        stack.append((a, b))
            sizes.append(size)
print(len(sizes) - 1, max(sizes))
