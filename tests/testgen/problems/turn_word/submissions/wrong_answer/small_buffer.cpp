#include <cstdio>
#include <cstring>
char s[100001], t[100001], u[200002];
int main() {
    scanf("%100000s %100000s", s, t);
    if (strlen(s) != strlen(t)) { puts("-1"); return 0; }
    strcpy(u, s);
    strcat(u, s);
    char* p = strstr(u, t);
    printf("%d\n", p ? int(p - u) : -1);
}
