import sys
lines = sys.stdin.read().split()
r, c = int(lines[0]), int(lines[1])
grid = [list(line) for line in lines[2:]]
count = most = 0
for i in range(r):
    for j in range(c):
        if grid[i][j] == "~":
            count += 1
            grid[i][j] = "."
            stack, size = [(i, j)], 0
            while stack:
                y, x = stack.pop()
                size += 1
                for a, b in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1), (y + 1, x - 1)):
                    if 0 <= a < r and 0 <= b < c and grid[a][b] == "~":
                        grid[a][b] = "."
                        stack.append((a, b))
            most = max(most, size)
print(count, most)
