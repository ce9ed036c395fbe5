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
    double best = s[k] / k;
    for (int round = 0; round < 100; round++) {
        double least = 1e18, top = -1e18, next = best;
        int from = 0;
        for (int i = k; i <= n; i++) {
            double here = s[i - k] - best * (i - k);
            if (here < least) least = here, from = i - k;
            double gain = s[i] - best * i - least;
            if (gain > top) top = gain, next = (s[i] - s[from]) / (i - from);
        }
        if (top < 1e-12) break;
        best = max(best, next);
    }
    printf("%.9f\n", best);
}
