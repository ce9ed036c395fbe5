#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int t;
    std::cin >> t;
    for (; t; --t) {
        int n, k;
        std::cin >> n >> k;
        std::vector<int> h(n);
        for (int &x : h) std::cin >> x;
        std::sort(h.begin(), h.end());
        long long moves = 0;
        for (int x : h) {
            int d = x - h.front();
            moves += d / k + (d % k ? 1 : 0);
        }
        std::cout << moves << '\n';
    }
}
