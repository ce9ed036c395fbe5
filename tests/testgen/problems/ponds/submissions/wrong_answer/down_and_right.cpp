#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    int r, c;
    std::cin >> r >> c;
    std::vector<std::string> g(r);
    for (auto &x : g) std::cin >> x;
    int count = 0, most = 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            if (g[i][j] != '~') continue;
            count++;
            std::vector<std::pair<int, int>> queue = {{i, j}};
            g[i][j] = '.';
            for (size_t k = 0; k < queue.size(); k++) {
                auto [y, x] = queue[k];
                const int dy[] = {0, 0, 1}, dx[] = {1, -1, 0};
                for (int d = 0; d < 3; d++) {
                    int a = y + dy[d], b = x + dx[d];
                    if (a < 0 || b < 0 || a >= r || b >= c || g[a][b] != '~') continue;
                    g[a][b] = '.';
                    queue.push_back({a, b});
                }
            }
            most = std::max(most, (int)queue.size());
        }
    std::cout << count << " " << most << "\n";
}
