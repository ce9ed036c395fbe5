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
    double low = -1001, high = 1001;
    for (int round = 0; round < 60; round++) {
        double middle = (low + high) / 2, least = 1e18;
        bool good = false;
        for (int i = k; i < max(n, k + 1) && !good; i++) {
            least = min(least, s[i - k] - middle * (i - k));
            good = s[i] - middle * i >= least;
        }
        (good ? low : high) = middle;
    }
    printf("%.9f\n", low);
}
