#include <iostream>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    string s, t;
    cin >> s >> t;
    int n = s.size(), m = t.size(), k = 0;
    if (n != m) { cout << "-1\n"; return 0; }
    vector<int> f(m + 1, 0);
    for (int i = 1; i < m; i++) {
        while (k && t[i] != t[k]) k = f[k];
        k += t[i] == t[k];
        f[i + 1] = k;
    }
    k = 0;
    for (int i = 0; i < 2 * n; i++) {
        while (k && (k == m || s[i % n] != t[k])) k = f[k];
        k += s[i % n] == t[k];
        if (k == m) { cout << i - m + 1 << "\n"; return 0; }
    }
    cout << "-1\n";
}
