import sys
from collections import Counter
words = Counter(sys.stdin.read().split()[1:])
word = min(words, key=lambda w: (-words[w], w))
print(word, words[word])
