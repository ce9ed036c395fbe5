#include <iostream>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    string s, t;
    cin >> s >> t;
    int n = s.size();
    if (s.size() != t.size()) { cout << -1 << endl; return 0; }
    for (int k = 0; k < n; k++) {
        bool same = true;
        for (int i = 0; i < n; i++) {
            if (s[(i + k) % n] != t[i]) { same = false; break; }
        }
        if (same) { cout << k << endl; return 0; }
    }
    cout << -1 << endl;
}
