#include <cstdio>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    vector<double> a(n), s(n + 1, 0.0);
    for (auto& x : a) scanf("%lf", &x);
    for (int i = 0; i < n; i++) s[i + 1] = s[i] + a[i];
    // Slopes over the lower hull of the prefix sums.
    vector<int> h;
    double best = -1e18;
    for (int j = k; j <= n; j++) {
        int i = j - k;
        while (h.size() > 1 && (s[h.back()] - s[h[h.size() - 2]]) * (i - h.back()) >= (s[i] - s[h.back()]) * (h.back() - h[h.size() - 2])) h.pop_back();
        h.push_back(i);
        size_t l = 0, r = h.size() - 1;
        while (l < r) {
            size_t m = (l + r) / 2;
            double one = (s[j] - s[h[m]]) / (j - h[m]), two = (s[j] - s[h[m + 1]]) / (j - h[m + 1]);
            if (one <= two) l = m + 1; else r = m;
        }
        best = max(best, (s[j] - s[h[l]]) / (j - h[l]));
    }
    printf("%.10f\n", best);
}
