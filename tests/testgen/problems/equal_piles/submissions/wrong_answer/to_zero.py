for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    low = min(h) if n > 1 else 0
    print(sum((x - low + k - 1) // k for x in h))
