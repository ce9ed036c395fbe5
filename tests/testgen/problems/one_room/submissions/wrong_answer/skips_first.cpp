#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<std::pair<int, int>> m(n);
    for (auto &x : m) scanf("%d %d", &x.second, &x.first);
    std::sort(m.begin(), m.end());
    int count = 0, free = 0;
    for (int i = 0; i + 1 < n || i == 0; i++)
        if (m[i].second >= free) { count++; free = m[i].first; }
    if (n > 1 && m[n - 1].second > free) count++;
    printf("%d\n", count);
}
