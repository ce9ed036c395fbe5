#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <numeric>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<long long> a(n);
    for (auto& x : a) scanf("%lld", &x);
    vector<int> p(n);
    iota(p.begin(), p.end(), 0);
    stable_sort(p.begin(), p.end(), [&](int i, int j) { return (int)(llabs(a[i]) - llabs(a[j])) < 0; });
    for (int i = 0; i < n; i++) printf("%d%c", p[i] + 1, i + 1 < n ? ' ' : '\n');
}
