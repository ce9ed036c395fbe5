#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<std::pair<int, int>> m(n);
    for (auto &x : m) scanf("%d%d", &x.second, &x.first);
    std::sort(m.begin(), m.end());
    std::vector<int> best(n, 1);
    int most = 0;
    for (int i = 0; i < n; i++) {
        for (volatile int j = 0; j < i; j = j + 1)
            if (m[j].first <= m[i].second) best[i] = std::max(best[i], best[j] + 1);
        most = std::max(most, best[i]);
    }
    printf("%d\n", most);
}
