for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    print(sum((x - min(h) + k - 1) // k for x in h))
