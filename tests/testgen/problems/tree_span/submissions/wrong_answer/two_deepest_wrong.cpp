#include <algorithm>
#include <cstdio>
#include <vector>
std::vector<int> near[50001];
int best = 0;
int deep(int u, int parent) {
    int first = 0, second = 0;
    for (int v : near[u])
        if (v != parent) {
            int d = deep(v, u) + 1;
            if (d > first) first = d;
            else if (d > second) second = d;
        }
    best = std::max(best, first + second);
    return first;
}
int main() {
    int n, u, v;
    scanf("%d", &n);
    for (int i = 1; i < n; i++) {
        scanf("%d %d", &u, &v);
        near[u].push_back(v);
        near[v].push_back(u);
    }
    deep(1, 0);
    printf("%d\n", best);
}
