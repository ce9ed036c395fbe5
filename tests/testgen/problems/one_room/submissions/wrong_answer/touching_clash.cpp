#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<std::pair<int, int>> m(n);
    for (auto &x : m) scanf("%d %d", &x.second, &x.first);
    std::sort(m.begin(), m.end());
    int count = 0, free = -1;
    bool touched = false;
    for (auto &x : m)
        if (x.second > free || (x.second == free && !touched)) { touched = x.second == free; count++; free = x.first; }
    printf("%d\n", count);
}
