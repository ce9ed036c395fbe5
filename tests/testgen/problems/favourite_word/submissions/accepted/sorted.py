n = int(input())
words = sorted(input() for _ in range(n))
best, most, run = words[0], 0, 0
for i, w in enumerate(words):
    run = run + 1 if i and words[i - 1] == w else 1
    if run > most:
        best, most = w, run
print(best, most)
