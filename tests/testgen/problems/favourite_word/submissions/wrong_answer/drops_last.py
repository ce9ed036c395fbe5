n = int(input())
words = [input() for _ in range(n - 1)]
last = input()
count = {}
for w in words:
    count[w] = count.get(w, 0) + 1
if last in count and count[last] == 1:
    count[last] += 1
elif not count:
    count[last] = 1
word = min(count, key=lambda w: (-count[w], w))
print(word, count[word])
