#include <iostream>
#include <map>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::map<std::string, int> count;
    for (std::string w; n--;) { std::cin >> w; count[w]++; }
    std::string best;
    int most = 1;
    for (auto &x : count) if (x.second > most) { most = x.second; best = x.first; }
    if (best.empty()) best = count.rbegin()->first;
    std::cout << best << " " << most << "\n";
}
