// Lines in any order, each as its tokens in order; empty lines at the end do not matter.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    compare_in_any_order(lines_of(ans), lines_of(ouf), "line");
}
