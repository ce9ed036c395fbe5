n, k = map(int, input().split())
a = list(map(float, input().split()))
s = [0.0]
for x in a:
    s.append(s[-1] + x)
print(max((s[i + k] - s[i]) / k for i in range(n - k + 1)))
