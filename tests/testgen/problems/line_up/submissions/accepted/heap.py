import heapq
n = int(input())
a = list(map(int, input().split()))
h = [(abs(x), i) for i, x in enumerate(a)]
heapq.heapify(h)
p = [heapq.heappop(h)[1] for _ in range(n)]
print(*[i + 1 for i in p])
