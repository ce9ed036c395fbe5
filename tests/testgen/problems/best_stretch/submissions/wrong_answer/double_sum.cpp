#include <cstdio>
#include <algorithm>
int main() {
    int n;
    scanf("%d", &n);
    float best = -4e18, here = 0;
    for (int i = 0; i < n; i++) {
        int g;
        scanf("%d", &g);
        here = std::max(here, 0.0f) + g;
        best = std::max(best, here);
    }
    printf("%.0f\n", best);
}
