#include <algorithm>
#include <cstdio>
#include <vector>
std::vector<int> parent;
int root(int x) { while (parent[x] != x) x = parent[x] = parent[parent[x]]; return x; }
int main() {
    int r, c;
    scanf("%d %d", &r, &c);
    std::vector<std::vector<char>> g(r, std::vector<char>(c + 1));
    for (auto &row : g) scanf("%s", row.data());
    parent.resize(r * c);
    for (int i = 0; i < r * c; i++) parent[i] = i;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            if (g[i][j] != '~') continue;
            if (i && g[i - 1][j] == '~') parent[root(i * c + j)] = root((i - 1) * c + j);
            if (j && g[i][j - 1] == '~') parent[root(i * c + j)] = root(i * c + j - 1);
        }
    std::vector<int> size(r * c);
    for (int i = 0; i < r * c; i++) if (g[i / c][i % c] == '~') size[root(i)]++;
    printf("%d %d\n", (int)std::count_if(size.begin(), size.end(), [](int s) { return s > 0; }), *std::max_element(size.begin(), size.end()));
}
