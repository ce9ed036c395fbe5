for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    first, second = sorted(h)[:2]
    low = min(first, second)
    print(sum((x - low + k - 1) // k for x in h))
