#include <cstdio>
#include <vector>
static bool joined[3001][3001];
int n;
int farthest(int start, int &end) {
    std::vector<int> far(n + 1, -1), queue = {start};
    far[start] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (int v = 1; v <= n; v++)
            if (joined[queue[i]][v] && far[v] < 0) { far[v] = far[queue[i]] + 1; queue.push_back(v); }
    end = queue.back();
    return far[end];
}
int main() {
    int u, v, end;
    scanf("%d", &n);
    if (n > 3000) return 1;
    for (int i = 1; i < n; i++) { scanf("%d %d", &u, &v); joined[u][v] = joined[v][u] = true; }
    farthest(1, end);
    printf("%d\n", farthest(end, end));
}
