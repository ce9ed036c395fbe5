// Cases labelled "Case 1:" or "Case #1:", either spelling for the other; the rest as tokens in order.
#include "testlib.h"
#include "reading.h"

static std::vector<std::string> without_signs(std::vector<std::string> tokens) {
    for (size_t place = 1; place < tokens.size(); place++) {
        std::string& token = tokens[place];
        if (tokens[place - 1] == "Case" && token.size() > 1 && token[0] == '#') token.erase(0, 1);
    }
    return tokens;
}

int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    std::vector<std::string> wanted = without_signs(tokens_of(ans));
    bool is_labelled = wanted.size() > 1 && wanted[0] == "Case" && wanted[1].back() == ':';
    if (!is_labelled) quitf(_fail, "the answer does not start with the label of a case");
    compare_in_order(wanted, without_signs(tokens_of(ouf)), "token");
}
