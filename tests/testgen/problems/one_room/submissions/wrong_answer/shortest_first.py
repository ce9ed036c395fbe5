n = int(input())
meetings = sorted((tuple(map(int, input().split())) for _ in range(n)), key=lambda m: (m[1] - m[0], m))
import bisect
starts, ends = [], []
for start, end in meetings:
    at = bisect.bisect_left(starts, start)
    if (at == 0 or ends[at - 1] <= start) and (at == len(starts) or starts[at] >= end):
        starts.insert(at, start)
        ends.insert(at, end)
print(len(starts))
