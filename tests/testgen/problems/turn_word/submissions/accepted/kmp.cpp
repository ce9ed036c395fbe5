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
    string u = t + "#" + s + s;
    vector<int> f(u.size());
    int n = t.size();
    for (size_t i = 1; i < u.size(); i++) {
        int k = f[i - 1];
        while (k > 0 && u[i] != u[k]) k = f[k - 1];
        if (u[i] == u[k]) k++;
        f[i] = k;
        if (k == n) { cout << i - 2 * n << endl; return 0; }
    }
    cout << -1 << endl;
}
