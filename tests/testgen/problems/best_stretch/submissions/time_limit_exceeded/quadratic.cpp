#include <cstdio>
#include <algorithm>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> g(n);
    for (auto &x : g) scanf("%lld", &x);
    long long best = g[0];
    for (int i = 0; i < n; i++) {
        long long sum = 0;
        for (int j = i; j < n; j++) {
            sum += g[j];
            best = std::max(best, sum);
        }
    }
    printf("%lld\n", best);
}
