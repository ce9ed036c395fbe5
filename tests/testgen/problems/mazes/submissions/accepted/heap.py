import sys
data = sys.stdin.read().split()
place = 1
for _ in range(int(data[0])):
    r, c = int(data[place]), int(data[place + 1])
    g = data[place + 2 : place + 2 + r]
    place += 2 + r
    import heapq
    seen = set()
    heap = [(0, 0, 0)] if g[0][0] == "." else []
    found = -1
    while heap:
        d, x, y = heapq.heappop(heap)
        if (x, y) in seen:
            continue
        seen.add((x, y))
        if (x, y) == (r - 1, c - 1):
            found = d
            break
        for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= u < r and 0 <= v < c and g[u][v] == "." and (u, v) not in seen:
                heapq.heappush(heap, (d + 1, u, v))
    print(found)
