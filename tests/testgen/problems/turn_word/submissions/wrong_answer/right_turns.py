s, t = input(), input()
k = (t + t).find(s) if len(s) == len(t) else -1
print(k)
