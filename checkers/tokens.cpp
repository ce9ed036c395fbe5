// Tokens in order, letter by letter; the kind and amount of white space does not matter.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    compare_in_order(tokens_of(ans), tokens_of(ouf), "token");
}
