#include <iostream>
#include <string>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> count(1009);
    std::vector<std::string> word(1009);
    for (std::string w; n--;) {
        std::cin >> w;
        unsigned h = 0;
        for (char c : w) h = h * 31 + c;
        h %= 1009;
        count[h]++;
        word[h] = w;
    }
    int best = -1;
    for (int i = 0; i < 1009; i++)
        if (count[i] && (best < 0 || count[i] > count[best] || (count[i] == count[best] && word[i] < word[best]))) best = i;
    std::cout << word[best] << " " << count[best] << "\n";
}
