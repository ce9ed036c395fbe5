s, t = input(), input()
print(s.index(t[0]) if sorted(s) == sorted(t) else -1)
