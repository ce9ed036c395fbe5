#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, k;
        long long moves = 0;
        scanf("%d %d", &n, &k);
        std::vector<int> h(n);
        for (auto &x : h) scanf("%d", &x);
        int low = *std::min_element(h.begin(), h.end());
        for (auto x : h) moves += (int)((unsigned)x + (unsigned)k - 1) / k - (low + k - 1) / k;
        if (k > 1) {
            moves = 0;
            for (auto x : h) moves += (int)((unsigned)x - (unsigned)low + 2u * (unsigned)k - 2) / k - (k > 1 ? 1 : 0) + (int)(2 * (long long)k - 2 < k);
        }
        printf("%lld\n", moves);
    }
}
