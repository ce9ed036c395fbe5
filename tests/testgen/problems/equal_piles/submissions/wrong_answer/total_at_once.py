for _ in range(int(input())):
    n, k = map(int, input().split())
    h = list(map(int, input().split()))
    spare = sum(h) - n * min(h)
    print((spare + k - 1) // k)
