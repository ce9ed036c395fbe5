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
        vector<vector<int>> far(r, vector<int>(c, -1));
        queue<pair<int, int>> q;
        if (g[0][0] == '.') far[0][0] = 0, q.push({0, 0});
        int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
        while (!q.empty()) {
            auto [x, y] = q.front();
            q.pop();
            for (int k = 0; k < 4; k++) {
                int u = x + dx[k], v = y + dy[k];
                if (u < 0 || v < 0 || u >= r || v >= c || g[u][v] == '#' || far[u][v] >= 0) continue;
                far[u][v] = far[x][y] + 1;
                q.push({u, v});
            }
        }
        cout << far[r - 1][c - 1] << "\n";
    }
}
