s = input()
n = len(s)
paired = [0] * n
def read(i):
    while i < n:
        if s[i] == ")":
            return i
        j = read(i + 1)
        if j < n:
            paired[i] = paired[j] = 1
        i = j + 1
    return n
i = 0
while i < n:
    i = read(i) + 1
best = here = 0
for mark in paired:
    here = here + 1 if mark else 0
    best = max(best, here)
print(best)
