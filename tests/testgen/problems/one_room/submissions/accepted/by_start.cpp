#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<std::pair<int, int>> m(n);
    for (auto &x : m) std::cin >> x.first >> x.second;
    std::sort(m.begin(), m.end());
    int count = 0, end = -1;
    for (auto &x : m) {
        if (count == 0 || x.first >= end) { count++; end = x.second; }
        else if (x.second < end) end = x.second;
    }
    std::cout << count << "\n";
}
