import sys
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    w = c + 2
    cells = "#" * w + "".join("#" + line + "#" for line in g) + "#" * w
    far = [-1] * len(cells)
    start, end = w + 1, r * w + c
    row = []
    if cells[start] == ".":
        far[start] = 0
        row = [start]
    for at in row:
        for to in (at + 1, at - 1, at + w, at - w):
            if cells[to] == "." and far[to] < 0:
                far[to] = far[at] + 1
                row.append(to)
    print(far[end])
