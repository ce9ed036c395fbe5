s, t = input(), input()
k = (s + s).find(t) if len(s) == len(t) else -1
print(min(k, len(s) - k) if k > 0 else k)
