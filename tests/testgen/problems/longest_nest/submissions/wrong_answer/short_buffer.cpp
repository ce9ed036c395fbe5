#include <cstdio>
#include <cstring>
#include <algorithm>
static char s[70000];
static int stack_[70000];
int main() {
    scanf("%65535s", s);
    int n = strlen(s), top = 0, best = 0;
    stack_[top++] = -1;
    for (int i = 0; i < n; i++) {
        if (s[i] == '(') stack_[top++] = i;
        else if (--top == 0) stack_[top++] = i;
        else best = std::max(best, i - stack_[top - 1]);
    }
    printf("%d\n", best);
}
