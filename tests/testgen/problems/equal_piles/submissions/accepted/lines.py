for _ in range(int(input())):
    n, k = map(int, input().split())
    h = sorted(map(int, input().split()))
    print(sum(-(-(x - h[0]) // k) for x in h))
