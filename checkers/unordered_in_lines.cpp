// Lines in order, the tokens within each in any order.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    compare_in_order(lines_of(ans, true), lines_of(ouf, true), "line");
}
