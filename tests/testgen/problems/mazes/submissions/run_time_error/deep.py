import sys
sys.setrecursionlimit(900)
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    best = {}
    def walk(x, y, d):
        if not (0 <= x < r and 0 <= y < c) or g[x][y] == "#" or best.get((x, y), d + 1) <= d:
            return
        best[x, y] = d
        for u, v in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            walk(u, v, d + 1)
    walk(0, 0, 0)
    print(best.get((r - 1, c - 1), -1))
