#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<std::vector<int>> near(n + 1);
    for (int i = 1, u, v; i < n; i++) {
        std::cin >> u >> v;
        near[u].push_back(v);
        near[v].push_back(u);
    }
    std::vector<int> order = {1}, parent(n + 1), deep(n + 1);
    for (int i = 0; i < (int)order.size(); i++)
        for (int v : near[order[i]])
            if (v != parent[order[i]]) { parent[v] = order[i]; order.push_back(v); }
    int best = 0;
    for (int i = n - 1; i > 0; i--) {
        int u = order[i], p = parent[u];
        best = std::max(best, deep[p] + deep[u] + 1);
        deep[p] = std::max(deep[p], deep[u] + 1);
    }
    std::cout << best << "\n";
}
