s = input()
open_, pairs = 0, 0
for c in s:
    if c == "(":
        open_ += 1
    elif open_:
        open_ -= 1
        pairs += 1
print(2 * pairs)
