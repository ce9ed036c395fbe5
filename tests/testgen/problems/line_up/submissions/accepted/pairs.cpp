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
    vector<pair<long long, int>> b;
    for (int i = 0; i < n; i++) b.push_back({llabs(a[i]), -i});
    sort(b.begin(), b.end());
    for (int i = 0; i < n; i++) p[i] = -b[i].second;
    for (int i = 0; i < n; i++) printf("%d%c", p[i] + 1, i + 1 < n ? ' ' : '\n');
}
