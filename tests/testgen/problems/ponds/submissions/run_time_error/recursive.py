import sys
lines = sys.stdin.read().split()
r, c = int(lines[0]), int(lines[1])
grid = [list(line) for line in lines[2:]]
def flood(y, x):
    if not (0 <= y < r and 0 <= x < c) or grid[y][x] != "~":
        return 0
    grid[y][x] = "."
    return 1 + flood(y + 1, x) + flood(y - 1, x) + flood(y, x + 1) + flood(y, x - 1)
sizes = [flood(i, j) for i in range(r) for j in range(c) if grid[i][j] == "~"]
print(len(sizes), max(sizes, default=0))
