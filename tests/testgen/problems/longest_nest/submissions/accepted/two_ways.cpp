#include <algorithm>
#include <cstdio>
#include <cstring>
static char s[100005];
int main() {
    scanf("%s", s);
    int n = strlen(s), best = 0;
    for (int turn = 0; turn < 2; turn++) {
        int open = 0, close = 0;
        for (int i = 0; i < n; i++) {
            char c = turn ? s[n - 1 - i] : s[i];
            bool opens = (c == '(') != (turn == 1);
            opens ? open++ : close++;
            if (open == close) best = std::max(best, 2 * close);
            if (close > open) open = close = 0;
        }
    }
    printf("%d\n", best);
}
