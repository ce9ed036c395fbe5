#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    int r, c;
    std::cin >> r >> c;
    std::vector<std::string> g(r);
    for (auto &x : g) std::cin >> x;
    std::vector<std::vector<int>> label(r, std::vector<int>(c, -1));
    std::vector<int> size;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            if (g[i][j] != '~') continue;
            if (i && label[i - 1][j] >= 0) label[i][j] = label[i - 1][j];
            else if (j && label[i][j - 1] >= 0) label[i][j] = label[i][j - 1];
            else { label[i][j] = size.size(); size.push_back(0); }
            size[label[i][j]]++;
        }
    std::cout << size.size() << " " << (size.empty() ? 0 : *std::max_element(size.begin(), size.end())) << "\n";
}
