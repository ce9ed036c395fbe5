#include <cstdio>
int main() {
    int n, s, e, count = 0, end = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d %d", &s, &e);
        if (count == 0 || s >= end) { count++; end = e; }
        else if (e < end) end = e;
    }
    printf("%d\n", count);
}
