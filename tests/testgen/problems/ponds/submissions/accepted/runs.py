import sys
def main():
    r, c = map(int, sys.stdin.readline().split())
    parent, size = [], []
    def root(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    above = [-1] * c
    for _ in range(r):
        row = sys.stdin.readline().strip()
        here = [-1] * c
        for j, cell in enumerate(row):
            if cell != "~":
                continue
            if j and here[j - 1] >= 0:
                here[j] = here[j - 1]
            else:
                here[j] = len(parent)
                parent.append(here[j])
                size.append(0)
            mine = root(here[j])
            if above[j] >= 0:
                other = root(above[j])
                if other != mine:
                    parent[other] = mine
                    size[mine] += size[other]
            size[mine] += 1
        above = here
    roots = [x for x in range(len(parent)) if parent[x] == x]
    print(len(roots), max((size[x] for x in roots), default=0))
main()
