#include <cstdio>
#include <unordered_map>
int main() {
    int n, k, a, pairs = 0;
    scanf("%d %d", &n, &k);
    std::unordered_map<int, int> seen;
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
        a = ((a % k) + k) % k;
        auto found = seen.find((k - a) % k);
        if (found != seen.end()) pairs += found->second;
        seen[a]++;
    }
    printf("%d\n", pairs);
}
