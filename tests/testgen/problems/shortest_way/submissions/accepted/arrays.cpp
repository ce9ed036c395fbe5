#include <cstdio>
#include <queue>
#include <vector>
#include <functional>
static int head[50001], next_[200001], to[200001], length[200001];
int main() {
    int n, m, c = 0;
    scanf("%d%d", &n, &m);
    for (int i = 0; i < m; i++) {
        int u, v, w;
        scanf("%d%d%d", &u, &v, &w);
        to[++c] = v; length[c] = w; next_[c] = head[u]; head[u] = c;
        to[++c] = u; length[c] = w; next_[c] = head[v]; head[v] = c;
    }
    std::vector<long long> d(n + 1, -1);
    typedef std::pair<long long, int> P;
    std::priority_queue<P> q;
    q.push({0, 1});
    while (!q.empty()) {
        P top = q.top();
        q.pop();
        int u = top.second;
        if (d[u] >= 0) continue;
        d[u] = -top.first;
        for (int e = head[u]; e; e = next_[e])
            if (d[to[e]] < 0) q.push({top.first - length[e], to[e]});
    }
    printf("%lld\n", d[n]);
}
