#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string s;
    std::cin >> s;
    int n = s.size(), best = 0;
    std::vector<int> ending(n + 1);
    for (int i = 1; i < n; i++) {
        if (s[i] != ')') continue;
        int open = i - ending[i - 1] - 1;
        if (open >= 0 && s[open] == '(') {
            ending[i] = ending[i - 1] + 2 + (open > 0 ? ending[open - 1] : 0);
            best = std::max(best, ending[i]);
        }
    }
    std::cout << best << "\n";
}
