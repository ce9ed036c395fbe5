// Lines in order, each as its tokens; spaces within a line and empty lines at the end do not matter.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    compare_in_order(lines_of(ans), lines_of(ouf), "line");
}
