#include <algorithm>
#include <cstdio>
#include <vector>
std::vector<int> below[50001];
int best = 0;
int deep(int u) {
    int most = 0;
    for (int v : below[u]) {
        int d = deep(v) + 1;
        best = std::max(best, most + d);
        most = std::max(most, d);
    }
    return most;
}
int main() {
    int n, u, v;
    scanf("%d", &n);
    std::vector<bool> child(n + 1);
    for (int i = 1; i < n; i++) {
        scanf("%d %d", &u, &v);
        if (child[v]) std::swap(u, v);
        below[u].push_back(v);
        child[v] = true;
    }
    for (int r = 1; r <= n; r++)
        if (!child[r]) deep(r);
    printf("%d\n", best);
}
