#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<std::pair<int, int>> m(n);
    for (auto &x : m) scanf("%d%d", &x.second, &x.first);
    std::sort(m.begin(), m.end());
    std::vector<int> best(n + 1);
    for (int i = 0; i < n; i++) {
        int before = std::upper_bound(m.begin(), m.begin() + i, std::make_pair(m[i].second, 2000000000)) - m.begin();
        best[i + 1] = std::max(best[i], best[before] + 1);
    }
    printf("%d\n", best[n]);
}
