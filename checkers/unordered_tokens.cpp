// Tokens in any order, each as often as in the answer.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    compare_in_any_order(tokens_of(ans), tokens_of(ouf), "token");
}
