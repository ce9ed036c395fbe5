n = int(input())
g = list(map(int, input().split()))
total = sum(x for x in g if x > 0)
runs, here = [], 0
for x in g:
    if x > 0:
        here += x
    else:
        runs.append(here)
        here = 0
runs.append(here)
best = max(runs)
joined = here = g[0]
for a, b in zip(g, g[1:]):
    here = max(b, here + b) if a > 0 else b
    joined = max(joined, here)
print(max(best, joined) if total else max(g))
