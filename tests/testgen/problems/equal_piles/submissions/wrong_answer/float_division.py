import math
for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    low = min(h)
    print(math.ceil(sum(h) / k - n * low / k) if k == 1 else sum(round((x - low) / k + 0.49) for x in h))
