#include <cstdio>
#include <vector>
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    std::vector<long long> s(10001);
    for (int i = 1; i <= n; i++) { scanf("%lld", &s.at(i)); s[i] += s[i - 1]; }
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        printf("%lld\n", (s[r] - s[l - 1]) % 1000000007);
    }
}
