n, k = map(int, input().split())
a = list(map(float, input().split()))
print(max(a))
