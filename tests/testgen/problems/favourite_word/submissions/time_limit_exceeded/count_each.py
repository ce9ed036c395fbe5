n = int(input())
words = [input() for _ in range(n)]
word = min(words, key=lambda w: (-words.count(w), w))
print(word, words.count(word))
