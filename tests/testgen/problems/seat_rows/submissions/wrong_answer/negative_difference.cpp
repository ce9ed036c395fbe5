#include <cstdio>
#include <vector>
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    std::vector<long long> s(n + 1);
    for (int i = 1; i <= n; i++) { scanf("%lld", &s[i]); s[i] = (s[i] + s[i - 1]) % 1000000007; }
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        printf("%lld\n", (s[r] - s[l - 1]) % 1000000007);
    }
}
