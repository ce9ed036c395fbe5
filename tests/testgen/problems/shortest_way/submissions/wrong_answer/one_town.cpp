#include <cstdio>
#include <queue>
#include <vector>
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    std::vector<std::vector<std::pair<int, int>>> near(n + 1);
    for (int i = 0; i < m; i++) {
        int u, v, w;
        scanf("%d %d %d", &u, &v, &w);
        near[u].push_back({v, w});
        near[v].push_back({u, w});
    }
    std::vector<long long> d(n + 1, 0);
    typedef std::pair<long long, int> P;
    std::priority_queue<P, std::vector<P>, std::greater<P>> q;
    q.push({0, 1});
    while (!q.empty()) {
        auto [x, u] = q.top();
        q.pop();
        if (x > d[u]) continue;
        for (auto [v, w] : near[u])
            if (d[v] == 0 || x + w < d[v]) { d[v] = x + w; q.push({d[v], v}); }
    }
    printf("%lld\n", d[n] == 0 ? -1 : d[n]);
}
