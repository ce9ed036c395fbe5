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
        long long low = *std::min_element(h.begin(), h.end());
        for (auto x : h) moves += (x - low + k - 1) / k;
        printf("%lld\n", moves);
    }
}
