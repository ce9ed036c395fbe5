#include <cstdio>
#include <unordered_map>
int main() {
    int n;
    long long k, a, pairs = 0;
    scanf("%d %lld", &n, &k);
    std::unordered_map<long long, long long> seen;
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a);
        a = a % k;
        pairs += seen[(k - a) % k];
        seen[a]++;
    }
    printf("%lld\n", pairs);
}
