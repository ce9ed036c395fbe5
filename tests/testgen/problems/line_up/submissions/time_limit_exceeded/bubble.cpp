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
    for (int k = 0; k < n; k++)
        for (int i = 0; i + 1 < n; i++)
            if (llabs(a[p[i]]) > llabs(a[p[i + 1]])) swap(p[i], p[i + 1]);
    for (int i = 0; i < n; i++) printf("%d%c", p[i] + 1, i + 1 < n ? ' ' : '\n');
}
