#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        int n, k, moves = 0;
        scanf("%d %d", &n, &k);
        std::vector<int> h(n);
        for (auto &x : h) scanf("%d", &x);
        int low = *std::min_element(h.begin(), h.end());
        for (auto x : h) moves += ((long long)x - low + k - 1) / k;
        printf("%d\n", moves);
    }
}
