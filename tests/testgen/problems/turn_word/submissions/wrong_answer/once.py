s, t = input(), input()
print(s.find(t[0]) if len(s) == len(t) and (lambda k: s[k:] + s[:k] == t)(s.find(t[0])) else -1)
