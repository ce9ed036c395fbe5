#include <iostream>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    string s, t;
    cin >> s >> t;
    if (s.size() != t.size()) { cout << -1 << endl; return 0; }
    const unsigned long long M = 2305843009213693951ULL, B = 1000003;
    auto mul = [&](unsigned long long a, unsigned long long b) { return (unsigned long long)((__uint128_t)a * b % M); };
    unsigned long long want = 0, have = 0, top = 1;
    size_t n = s.size();
    for (size_t i = 0; i < n; i++) {
        want = (mul(want, B) + t[i]) % M;
        have = (mul(have, B) + s[i]) % M;
        if (i) top = mul(top, B);
    }
    for (size_t i = 0; i < n; i++) {
        if (have == want) { cout << i << endl; return 0; }
        have = (have + M - mul(top, s[i])) % M;
        have = (mul(have, B) + s[i]) % M;
    }
    cout << -1 << endl;
}
