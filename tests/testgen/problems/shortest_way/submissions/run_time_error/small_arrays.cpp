#include <cstdio>
#include <queue>
#include <vector>
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    std::vector<std::vector<std::pair<int, int>>> near(10001);
    for (int i = 0; i < m; i++) {
        int u, v, w;
        scanf("%d %d %d", &u, &v, &w);
        near.at(u).push_back({v, w});
        near.at(v).push_back({u, w});
    }
    std::vector<long long> d(10001, 4e18);
    typedef std::pair<long long, int> P;
    std::priority_queue<P, std::vector<P>, std::greater<P>> q;
    d[1] = 0;
    q.push({0, 1});
    while (!q.empty()) {
        auto [x, u] = q.top();
        q.pop();
        if (x > d[u]) continue;
        for (auto [v, w] : near[u])
            if (x + w < d[v]) { d[v] = x + w; q.push({d[v], v}); }
    }
    printf("%lld\n", d.at(n) > 3e18 ? -1 : d[n]);
}
