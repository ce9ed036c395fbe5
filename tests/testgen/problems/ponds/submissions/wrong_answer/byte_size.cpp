#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    int r, c;
    std::cin >> r >> c;
    std::vector<std::string> g(r);
    for (auto &x : g) std::cin >> x;
    unsigned short count = 0, most = 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            if (g[i][j] != '~') continue;
            count++;
            unsigned short size = 0;
            std::vector<std::pair<int, int>> stack = {{i, j}};
            while (!stack.empty()) {
                auto [y, x] = stack.back();
                stack.pop_back();
                if (y < 0 || x < 0 || y >= r || x >= c || g[y][x] != '~') continue;
                g[y][x] = '.';
                size++;
                stack.insert(stack.end(), {{y + 1, x}, {y - 1, x}, {y, x + 1}, {y, x - 1}});
            }
            most = std::max(most, size);
        }
    std::cout << count << " " << most << "\n";
}
