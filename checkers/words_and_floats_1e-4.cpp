// Words letter by letter, integers by value, other numbers within an absolute or relative error of 1e-4.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    compare_in_order(wanted, found, "token", [](const std::string& one, const std::string& other) {
        return is_number(one) && is_number(other) ? are_near(one, other, 1e-4L) : one == other;
    });
}
