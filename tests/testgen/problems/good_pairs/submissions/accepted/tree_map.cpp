#include <cstdio>
#include <map>
int main() {
    long long n, k;
    scanf("%lld %lld", &n, &k);
    std::map<int, int> seen;
    long long pairs = 0;
    while (n--) {
        long long a;
        scanf("%lld", &a);
        int r = (int)(((a % k) + k) % k);
        int want = r ? (int)(k - r) : 0;
        if (seen.count(want)) pairs += seen[want];
        ++seen[r];
    }
    printf("%lld\n", pairs);
}
