#include <cstdio>
#include <vector>
std::vector<std::vector<int>> near;
std::pair<int, int> farthest(int start) {
    std::vector<int> far(near.size(), -1), queue = {start};
    far[start] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (int v : near[queue[i]])
            if (far[v] < 0) { far[v] = far[queue[i]] + 1; queue.push_back(v); }
    return {queue.back(), far[queue.back()]};
}
int main() {
    int n, u, v;
    scanf("%d", &n);
    near.resize(n + 1);
    for (int i = 1; i < n; i++) {
        scanf("%d %d", &u, &v);
        near[u].push_back(v);
        near[v].push_back(u);
    }
    printf("%d\n", farthest(farthest(1).first).second);
}
