s, t = input(), input()
k = (s + s).find(t, 1) if len(s) == len(t) else -1
print(k)
