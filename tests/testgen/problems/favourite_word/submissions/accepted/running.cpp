#include <iostream>
#include <string>
#include <unordered_map>
int main() {
    std::ios::sync_with_stdio(false);
    int n, most = 0;
    std::cin >> n;
    std::unordered_map<std::string, int> count;
    std::string w, best;
    while (n--) {
        std::cin >> w;
        int c = ++count[w];
        if (c > most || (c == most && w < best)) { most = c; best = w; }
    }
    std::cout << best << " " << most << "\n";
}
