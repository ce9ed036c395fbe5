s, t = input(), input()
print((s + s).find(t) if len(s) == len(t) else -1)
