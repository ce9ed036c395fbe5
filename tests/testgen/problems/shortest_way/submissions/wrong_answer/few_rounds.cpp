#include <cstdio>
#include <vector>
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    std::vector<int> u(m), v(m), w(m);
    for (int i = 0; i < m; i++) scanf("%d %d %d", &u[i], &v[i], &w[i]);
    std::vector<long long> d(n + 1, 4000000000000000000LL);
    d[1] = 0;
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < m; i++) {
            if (d[u[i]] + w[i] < d[v[i]]) d[v[i]] = d[u[i]] + w[i];
            if (d[v[i]] + w[i] < d[u[i]]) d[u[i]] = d[v[i]] + w[i];
        }
    printf("%lld\n", d[n] > 3000000000000000000LL ? -1 : d[n]);
}
