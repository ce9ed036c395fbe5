import sys
def main():
    data = iter(sys.stdin.read().split())
    for _ in range(int(next(data))):
        n, k = int(next(data)), int(next(data))
        h = [int(next(data)) for _ in range(n)]
        low = min(h)
        print(sum((x - low + k - 1) // k for x in h))
main()
