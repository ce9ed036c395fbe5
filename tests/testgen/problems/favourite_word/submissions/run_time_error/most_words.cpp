#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
int main() {
    int n;
    std::cin >> n;
    if (n > 10000) std::abort();
    std::map<std::string, int> count;
    for (std::string w; n--;) { std::cin >> w; count[w]++; }
    std::string best;
    int most = 0;
    for (auto &x : count) if (x.second > most) { most = x.second; best = x.first; }
    std::cout << best << " " << most << "\n";
}
