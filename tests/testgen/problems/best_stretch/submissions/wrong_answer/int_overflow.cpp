#include <cstdio>
#include <algorithm>
int main() {
    int n, g, best = -2000000000, here = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &g);
        here = here > 0 ? here + g : g;
        best = std::max(best, here);
    }
    printf("%d\n", best);
}
