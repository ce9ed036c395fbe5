#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string s;
    std::cin >> s;
    short best = 0;
    std::vector<int> stack = {-1};
    for (int i = 0; i < (int)s.size(); i++) {
        if (s[i] == '(') { stack.push_back(i); continue; }
        stack.pop_back();
        if (stack.empty()) stack.push_back(i);
        else if ((short)(i - stack.back()) > best) best = i - stack.back();
    }
    std::cout << best << "\n";
}
