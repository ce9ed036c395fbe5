#include <cstdio>
#include <vector>
int main() {
    int t;
    if (scanf("%d", &t) != 1) return 0;
    while (t--) {
        int n, k;
        scanf("%d%d", &n, &k);
        std::vector<int> h;
        int low = 2000000000;
        for (int i = 0; i < n; i++) {
            int x;
            scanf("%d", &x);
            h.push_back(x);
            if (x < low) low = x;
        }
        long long moves = 0;
        for (int x : h) if (x > low) moves += (x - low - 1) / k + 1;
        printf("%lld\n", moves);
    }
}
