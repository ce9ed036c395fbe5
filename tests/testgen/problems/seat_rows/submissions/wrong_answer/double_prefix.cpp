#include <cmath>
#include <cstdio>
#include <vector>
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    std::vector<float> s(n + 1);
    for (int i = 1; i <= n; i++) { scanf("%f", &s[i]); s[i] += s[i - 1]; }
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        printf("%.0f\n", std::fmod((double)s[r] - s[l - 1], 1000000007.0));
    }
}
