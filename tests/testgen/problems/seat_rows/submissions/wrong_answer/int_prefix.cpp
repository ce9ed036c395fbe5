#include <cstdio>
#include <vector>
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    std::vector<int> s(n + 1);
    for (int i = 1; i <= n; i++) { scanf("%d", &s[i]); s[i] += s[i - 1]; }
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        printf("%d\n", (int)((unsigned)s[r] - (unsigned)s[l - 1]) % 1000000007);
    }
}
