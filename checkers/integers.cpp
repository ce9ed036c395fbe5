// Integers of any size in order, by value: a plus sign and leading zeros do not matter.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    require_all(wanted, found, is_integer, "integer");
    compare_in_order(wanted, found, "integer",
                     [](const std::string& one, const std::string& other) { return value_of(one) == value_of(other); });
}
