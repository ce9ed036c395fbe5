#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const int mod = 1000000007;
    int n, q;
    std::cin >> n >> q;
    std::vector<int> s(n + 1);
    for (int i = 0; i < n; i++) { int b; std::cin >> b; s[i + 1] = (s[i] + b) % mod; }
    for (int l, r; q--;) { std::cin >> l >> r; std::cout << ((s[r] - s[l - 1]) % mod + mod) % mod << '\n'; }
}
