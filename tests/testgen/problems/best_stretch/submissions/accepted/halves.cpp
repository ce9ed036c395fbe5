#include <cstdio>
#include <vector>
#include <algorithm>
struct Part { long long sum, prefix, suffix, best; };
std::vector<long long> g;
Part solve(int from, int to) {
    if (to - from == 1) return {g[from], g[from], g[from], g[from]};
    int middle = (from + to) / 2;
    Part a = solve(from, middle), b = solve(middle, to);
    return {a.sum + b.sum, std::max(a.prefix, a.sum + b.prefix), std::max(b.suffix, b.sum + a.suffix),
            std::max({a.best, b.best, a.suffix + b.prefix})};
}
int main() {
    int n;
    scanf("%d", &n);
    g.resize(n);
    for (auto &x : g) scanf("%lld", &x);
    printf("%lld\n", solve(0, n).best);
}
