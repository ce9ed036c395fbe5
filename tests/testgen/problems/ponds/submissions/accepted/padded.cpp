#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stack>
static char g[303][304];
int main() {
    int r, c, count = 0, most = 0;
    scanf("%d%d", &r, &c);
    for (int i = 1; i <= r; i++) scanf("%s", g[i] + 1);
    for (int i = 1; i <= r; i++)
        for (int j = 1; j <= c; j++)
            if (g[i][j] == '~') {
                int size = 0;
                std::stack<std::pair<int, int>> open;
                open.push({i, j});
                while (!open.empty()) {
                    auto [y, x] = open.top();
                    open.pop();
                    if (g[y][x] != '~') continue;
                    g[y][x] = '.';
                    size++;
                    open.push({y + 1, x}); open.push({y - 1, x}); open.push({y, x + 1}); open.push({y, x - 1});
                }
                count++;
                most = std::max(most, size);
            }
    printf("%d %d\n", count, most);
}
