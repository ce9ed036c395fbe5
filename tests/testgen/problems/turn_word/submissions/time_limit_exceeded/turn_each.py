s, t = input(), input()
k = 0
while k < len(s) and s != t:
    s = s[1:] + s[0]
    k += 1
print(k if s == t else -1)
