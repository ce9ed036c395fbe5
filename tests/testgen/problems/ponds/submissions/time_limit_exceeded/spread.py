import sys
lines = sys.stdin.read().split()
r, c = int(lines[0]), int(lines[1])
grid = lines[2:]
label = {(i, j): i * c + j for i in range(r) for j in range(c) if grid[i][j] == "~"}
changed = True
while changed:
    changed = False
    for (i, j), mine in list(label.items()):
        low = min(label.get(p, mine) for p in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)))
        if low < mine:
            label[i, j] = low
            changed = True
sizes = {}
for mine in label.values():
    sizes[mine] = sizes.get(mine, 0) + 1
print(len(sizes), max(sizes.values(), default=0))
