import sys
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    ok = all(line.count('#') < c for line in g)
    print(r + c - 2 if ok and g[0][0] == '.' and g[-1][-1] == '.' else -1)
