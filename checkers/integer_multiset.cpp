// Integers of any size in any order, by value, each as often as in the answer.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    require_all(wanted, found, is_integer, "integer");
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), value_of);
    std::transform(found.begin(), found.end(), found.begin(), value_of);
    compare_in_any_order(wanted, found, "integer");
}
