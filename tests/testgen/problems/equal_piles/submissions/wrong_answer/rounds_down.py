for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    low = min(h)
    print(sum((x - low) // k + (1 if x - low and (x - low) % k == 1 else 0) for x in h))
