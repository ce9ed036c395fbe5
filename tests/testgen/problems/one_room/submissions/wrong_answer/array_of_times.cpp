#include <cstdio>
#include <vector>
#include <algorithm>
int main() {
    int n;
    scanf("%d", &n);
    const int most = 1000000;
    std::vector<int> latest(most + 1, -1);
    for (int i = 0; i < n; i++) {
        int s, e;
        scanf("%d %d", &s, &e);
        if (e > most) continue;
        latest[e] = std::max(latest[e], s);
    }
    int count = 0, free = 0;
    for (int e = 0; e <= most; e++)
        if (latest[e] >= free) { count++; free = e; }
    printf("%d\n", count);
}
