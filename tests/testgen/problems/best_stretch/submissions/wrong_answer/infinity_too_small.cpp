#include <cstdio>
#include <algorithm>
int main() {
    int n;
    scanf("%d", &n);
    long long best = -1000000, here = 0;
    for (int i = 0; i < n; i++) {
        long long g;
        scanf("%lld", &g);
        here = std::max(here, 0LL) + g;
        best = std::max(best, here);
    }
    printf("%lld\n", best);
}
