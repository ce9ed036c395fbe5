#include <cstdio>
#include <algorithm>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> s(n + 1);
    for (int i = 1; i <= n; i++) {
        scanf("%lld", &s[i]);
        s[i] += s[i - 1];
    }
    if (n == 1) { printf("%lld\n", s[1]); return 0; }
    long long best = -4e18, low = s[0];
    for (int i = 2; i <= n; i++) {
        low = std::min(low, s[i - 2]);
        best = std::max(best, s[i] - low);
    }
    printf("%lld\n", best);
}
