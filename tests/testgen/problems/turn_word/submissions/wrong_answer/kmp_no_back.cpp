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
    string u = s + s;
    size_t k = 0;
    for (size_t i = 0; i < u.size(); i++) {
        if (u[i] == t[k]) k++;
        else k = u[i] == t[0];
        if (k == t.size()) { cout << i + 1 - k << endl; return 0; }
    }
    cout << -1 << endl;
}
