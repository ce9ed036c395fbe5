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
    int want = 0, have = 0, n = s.size();
    for (int i = 0; i < n; i++) want += (i + 1) * t[i], have += (i + 1) * s[i];
    int sum = 0;
    for (char c : s) sum += c;
    for (int i = 0; i < n; i++) {
        if (have == want) { cout << i << endl; return 0; }
        have = have - sum + n * s[i];
    }
    cout << -1 << endl;
}
