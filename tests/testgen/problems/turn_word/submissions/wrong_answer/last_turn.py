s, t = input(), input()
k = (s + s).rfind(t) if len(s) == len(t) else -1
print(k)
