#include <algorithm>
#include <iostream>
#include <string>
int main() {
    std::string s;
    std::cin >> s;
    int open = 0, close = 0, best = 0;
    for (char c : s) {
        c == '(' ? open++ : close++;
        if (open == close) best = std::max(best, 2 * close);
        if (close > open) open = close = 0;
    }
    if (best == 0 && s.find("()") != std::string::npos) best = 2 * std::min(std::count(s.begin(), s.end(), '('), std::count(s.begin(), s.end(), ')'));
    std::cout << best << "\n";
}
