import sys
lines = sys.stdin.read().split()
r, c = int(lines[0]), int(lines[1])
grid = [list(line) for line in lines[2:]]
longest = max(len(run) for line in lines[2:] for run in line.split("."))
tall = max(len(run) for col in zip(*lines[2:]) for run in "".join(col).split("."))
count = 0
for i in range(r):
    for j in range(c):
        if grid[i][j] == "~":
            count += 1
            stack = [(i, j)]
            while stack:
                y, x = stack.pop()
                if 0 <= y < r and 0 <= x < c and grid[y][x] == "~":
                    grid[y][x] = "."
                    stack += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
print(count, max(longest, tall))
