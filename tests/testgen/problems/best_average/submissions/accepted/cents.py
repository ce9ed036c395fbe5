n, k = map(int, input().split())
a = [int(x.replace('.', '')) if '.' in x else 100 * int(x) for x in input().split()]
s = [0]
for x in a:
    s.append(s[-1] + x)
bp, bq = s[k], k
while True:
    least, at, found = None, 0, None
    for i in range(k, n + 1):
        here = s[i - k] * bq - bp * (i - k)
        if least is None or here < least:
            least, at = here, i - k
        gain = s[i] * bq - bp * i - least
        if gain > 0 and (found is None or gain > found[0]):
            found = gain, s[i] - s[at], i - at
    if found is None:
        break
    bp, bq = found[1:]
print('%.9f' % (bp / bq / 100))
