#include <cstdio>
#include <vector>
int main() {
    int n, u, v;
    scanf("%d", &n);
    std::vector<std::vector<int>> near(n + 1);
    for (int i = 1; i < n; i++) {
        scanf("%d %d", &u, &v);
        near[u].push_back(v);
        near[v].push_back(u);
    }
    std::vector<int> far(n + 1, -1), queue = {1};
    far[1] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (int w : near[queue[i]])
            if (far[w] < 0) { far[w] = far[queue[i]] + 1; queue.push_back(w); }
    int best = far[queue.back()];
    if (near[1].size() > 1 && best == 1) best = 2;
    printf("%d\n", best);
}
