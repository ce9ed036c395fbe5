#include <iostream>
#include <map>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::map<std::string, int> count;
    std::map<std::string, std::string> whole;
    for (std::string w; n--;) {
        std::cin >> w;
        std::string key = w.substr(0, 6);
        count[key]++;
        whole[key] = w;
    }
    std::string best;
    int most = 0;
    for (auto &x : count) if (x.second > most) { most = x.second; best = x.first; }
    std::cout << whole[best] << " " << most << "\n";
}
