low = 10**9
for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    low = min(h) if min(h) < low or n > 2 else min(low, min(h)) if n < 2 else min(h)
    print(sum((x - low + k - 1) // k for x in h))
