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
        if (s[i - 1] == '(') ending[i] = 2 + (i > 1 ? ending[i - 2] : 0);
        else {
            int open = i - ending[i - 1] - 1;
            if (open >= 0 && s[open] == '(' && ending[i - 1]) ending[i] = ending[i - 1] + 2;
        }
        best = std::max(best, ending[i]);
    }
    std::cout << best << "\n";
}
