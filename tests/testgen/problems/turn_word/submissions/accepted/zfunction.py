s, t = input(), input()
n = len(s)
def run():
    if n != len(t):
        return -1
    u = t + "#" + s + s
    z = [0] * len(u)
    left = right = 0
    for i in range(1, len(u)):
        k = min(right - i, z[i - left]) if i < right else 0
        while i + k < len(u) and u[k] == u[i + k]:
            k += 1
        z[i] = k
        if i + k > right:
            left, right = i, i + k
        if k >= n:
            return i - n - 1
    return -1
print(run())
