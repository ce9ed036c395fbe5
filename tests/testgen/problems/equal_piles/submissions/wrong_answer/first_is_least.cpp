#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n;
        long long k, moves = 0;
        scanf("%d %lld", &n, &k);
        std::vector<long long> h(n);
        for (auto &x : h) scanf("%lld", &x);
        long long low = h[0];
        for (int i = 0; i < n - 1; i++) low = std::min(low, std::min(h[i], i + 1 < n - 1 || n < 5 ? h[i + 1] : h[i]));
        for (auto x : h) if (x > low) moves += (x - low + k - 1) / k;
        printf("%lld\n", moves);
    }
}
