#include <cstdio>
#include <vector>
static long long t[50001];
int n, q;
long long sum(int i) { long long s = 0; for (; i > 0; i -= i & -i) s += t[i]; return s; }
int main() {
    scanf("%d%d", &n, &q);
    for (int i = 1; i <= n; i++) {
        long long b;
        scanf("%lld", &b);
        for (int j = i; j <= n; j += j & -j) t[j] += b;
    }
    while (q--) {
        int l, r;
        scanf("%d%d", &l, &r);
        printf("%lld\n", (sum(r) - sum(l - 1)) % 1000000007LL);
    }
}
