n = int(input())
a = list(map(int, input().split()))
print(*sorted(a, key=abs))
