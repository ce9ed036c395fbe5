#include <cstdio>
#include <algorithm>
static int g[100000];
int main() {
    int n;
    scanf("%d", &n);
    for (int i = 0; i < n && i < 100000; i++) scanf("%d", &g[i]);
    long long best = g[0], here = 0;
    for (int i = 0; i < n && i < 100000; i++) {
        here = std::max(here, 0LL) + g[i];
        best = std::max(best, here);
    }
    printf("%lld\n", best);
}
