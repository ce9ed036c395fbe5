#include <iostream>
#include <queue>
#include <string>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    int t;
    cin >> t;
    while (t--) {
        int r, c;
        cin >> r >> c;
        vector<string> g(r);
        for (auto& line : g) cin >> line;
        const int far = 1 << 20;
        vector<vector<int>> d(r + 2, vector<int>(c + 2, far));
        vector<pair<int, int>> now, next;
        if (g[0][0] == '.') d[1][1] = 0, now.push_back({1, 1});
        for (int step = 1; !now.empty(); step++) {
            next.clear();
            for (auto [x, y] : now)
                for (auto [u, v] : {pair{x + 1, y}, pair{x - 1, y}, pair{x, y + 1}, pair{x, y - 1}})
                    if (u > 0 && v > 0 && u <= r && v <= c && g[u - 1][v - 1] == '.' && d[u][v] == far)
                        d[u][v] = step, next.push_back({u, v});
            swap(now, next);
        }
        cout << (d[r][c] == far ? -1 : d[r][c]) << "\n";
    }
}
