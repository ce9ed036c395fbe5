import sys
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    far = {(0, 0): 0} if g[0][0] == "." else {}
    row = list(far)
    for x, y in row:
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1)):
            if 0 <= u < r and 0 <= v < c and g[u][v] == "." and (u, v) not in far:
                far[u, v] = far[x, y] + 1
                row.append((u, v))
    print(far.get((r - 1, c - 1), -1))
