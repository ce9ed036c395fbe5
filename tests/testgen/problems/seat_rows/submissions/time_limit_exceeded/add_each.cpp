#include <cstdio>
#include <vector>
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    std::vector<long long> b(n + 1);
    for (int i = 1; i <= n; i++) scanf("%lld", &b[i]);
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        long long s = 0;
        for (int i = l; i <= r; i++) s = (s + b[i]) % 1000000007;
        printf("%lld\n", s);
    }
}
