import heapq, sys
def main():
    lines = sys.stdin.read().split("\n")
    n, m = map(int, lines[0].split())
    near = {i: [] for i in range(1, n + 1)}
    for line in lines[1 : m + 1]:
        u, v, w = map(int, line.split())
        if u != v:
            near[u].append((w, v))
            near[v].append((w, u))
    best = {1: 0}
    done = set()
    heap = [(0, 1)]
    while heap:
        d, u = heapq.heappop(heap)
        if u == n:
            print(d)
            return
        if u in done:
            continue
        done.add(u)
        for w, v in near[u]:
            if v not in done and d + w < best.get(v, 1 << 60):
                best[v] = d + w
                heapq.heappush(heap, (d + w, v))
    print(-1)
main()
