#include <cstdio>
#include <cstring>
#include <algorithm>
#include <vector>
static char s[100005];
int main() {
    scanf("%100002s", s);
    int n = strlen(s), height = n, best = 0;
    std::vector<int> first(2 * n + 2, -2);
    first[height] = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == '(') {
            height++;
            first[height] = i + 1;
        } else {
            first[height] = -2;
            height--;
            if (first[height] == -2) first[height] = i + 1;
            else best = std::max(best, i + 1 - first[height]);
        }
    }
    printf("%d\n", best);
}
