// Numbers in order: two integers by value, others within an absolute or relative error of 1e-9.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    require_all(wanted, found, is_number, "number");
    compare_in_order(wanted, found, "number",
                     [](const std::string& one, const std::string& other) { return are_near(one, other, 1e-9L); });
}
