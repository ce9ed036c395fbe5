#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    std::vector<int> a(n);
    for (auto &x : a) scanf("%d", &x);
    if (n <= 3000) {
        long long pairs = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) pairs += (int)((unsigned)a[i] + (unsigned)a[j]) % k == 0;
        printf("%lld\n", pairs);
        return 0;
    }
    for (auto &x : a) x = ((x % k) + k) % k;
    std::sort(a.begin(), a.end());
    long long pairs = 0;
    for (int i = 0; i < n; i++) {
        int want = (k - a[i]) % k;
        pairs += std::upper_bound(a.begin() + i + 1, a.end(), want) - std::lower_bound(a.begin() + i + 1, a.end(), want);
    }
    printf("%lld\n", pairs);
}
