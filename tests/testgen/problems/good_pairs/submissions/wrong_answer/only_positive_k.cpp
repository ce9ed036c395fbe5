#include <cstdio>
#include <vector>
int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    std::vector<long long> count(1000001);
    long long pairs = 0;
    for (int i = 0; i < n; i++) {
        long long a;
        scanf("%lld", &a);
        int r = (int)(((a % k) + k) % k);
        int want = (k - r) % k;
        if (want <= 1000000) pairs += count[want];
        if (r <= 1000000) count[r]++;
    }
    printf("%lld\n", pairs);
}
