// A sequence of yes and no, in any case.
#include "testlib.h"
#include "reading.h"

static bool is_yes_or_no(const std::string& token) { return lower(token) == "yes" || lower(token) == "no"; }

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = tokens_of(ans), found = tokens_of(ouf);
    require_all(wanted, found, is_yes_or_no, "yes or no");
    compare_in_order(wanted, found, "word",
                     [](const std::string& one, const std::string& other) { return lower(one) == lower(other); });
}
