s, t = input(), input()
print((s + s).find(t))
