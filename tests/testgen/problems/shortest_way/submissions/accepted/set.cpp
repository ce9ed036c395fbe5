#include <iostream>
#include <set>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, m;
    std::cin >> n >> m;
    std::vector<std::vector<std::pair<int, long long>>> near(n);
    while (m--) {
        int u, v, w;
        std::cin >> u >> v >> w;
        --u; --v;
        near[u].emplace_back(v, w);
        if (u != v) near[v].emplace_back(u, w);
    }
    std::vector<long long> d(n, -1);
    std::set<std::pair<long long, int>> open;
    open.insert({0, 0});
    d[0] = 0;
    while (!open.empty()) {
        auto [x, u] = *open.begin();
        open.erase(open.begin());
        for (auto [v, w] : near[u])
            if (d[v] < 0 || x + w < d[v]) {
                if (d[v] >= 0) open.erase({d[v], v});
                d[v] = x + w;
                open.insert({d[v], v});
            }
    }
    std::cout << d[n - 1] << "\n";
}
