// Tokens in order, without regard to the case of ASCII letters.
#include "testlib.h"
#include "reading.h"

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    compare_in_order(wanted, found, "token",
                     [](const std::string& one, const std::string& other) { return lower(one) == lower(other); });
}
