#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    long long n, k;
    std::cin >> n >> k;
    std::vector<long long> r(n);
    for (auto &x : r) { std::cin >> x; x %= k; if (x < 0) x += k; }
    std::sort(r.begin(), r.end());
    long long pairs = 0;
    for (int i = 0; i < n; i++) {
        long long want = r[i] == 0 ? 0 : k - r[i];
        auto from = std::lower_bound(r.begin() + i + 1, r.end(), want);
        auto to = std::upper_bound(r.begin() + i + 1, r.end(), want);
        pairs += to - from;
    }
    std::cout << pairs << "\n";
}
