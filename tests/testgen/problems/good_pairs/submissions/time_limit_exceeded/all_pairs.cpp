#include <cstdio>
#include <vector>
int main() {
    int n;
    long long k;
    scanf("%d %lld", &n, &k);
    std::vector<long long> a(n);
    for (auto &x : a) scanf("%lld", &x);
    long long pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) pairs += (a[i] + a[j]) % k == 0;
    printf("%lld\n", pairs);
}
