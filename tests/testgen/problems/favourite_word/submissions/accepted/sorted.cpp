#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<std::string> w(n);
    for (auto &x : w) std::cin >> x;
    std::sort(w.begin(), w.end());
    int from = 0, most = 0;
    std::string best;
    for (int i = 1; i <= n; i++)
        if (i == n || w[i] != w[from]) {
            if (i - from > most) { most = i - from; best = w[from]; }
            from = i;
        }
    std::cout << best << " " << most << "\n";
}
