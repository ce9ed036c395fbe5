#include <iostream>
#include <algorithm>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    long long sum = 0, low = 0, best = -4000000000000000000LL;
    while (n--) {
        long long g;
        std::cin >> g;
        sum += g;
        best = std::max(best, sum - low);
        low = std::min(low, sum);
    }
    std::cout << best << '\n';
}
