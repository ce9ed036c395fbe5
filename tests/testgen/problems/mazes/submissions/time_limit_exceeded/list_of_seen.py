import sys
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    far = [(0, 0, 0)] if g[0][0] == "." else []
    found = -1
    for x, y, d in far:
        if (x, y) == (r - 1, c - 1):
            found = d
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= u < r and 0 <= v < c and g[u][v] == "." and all((u, v) != (a, b) for a, b, _ in far):
                far.append((u, v, d + 1))
    print(found)
