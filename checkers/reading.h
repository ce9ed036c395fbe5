// What the checkers share: reading tokens and lines, integers of any size, numbers within a tolerance.
// Include it after testlib.h.
#pragma once

static inline std::vector<std::string> tokens_of(InStream& stream) {
    std::vector<std::string> tokens;
    while (!stream.seekEof()) tokens.push_back(stream.readToken());
    return tokens;
}

static inline std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    for (char letter : line + " ") {
        if (!isspace((unsigned char)letter)) {
            word += letter;
        } else if (!word.empty()) {
            words.push_back(word);
            word.clear();
        }
    }
    return words;
}

static inline std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
}

// Lines with one space between their tokens, without the empty ones at the end.
static inline std::vector<std::string> lines_of(InStream& stream, bool sort_words = false) {
    std::vector<std::string> lines;
    while (!stream.eof()) {
        std::vector<std::string> words = words_of(stream.readLine());
        if (sort_words) std::sort(words.begin(), words.end());
        lines.push_back(joined(words));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

static inline std::string lower(std::string text) {
    for (char& letter : text) letter = (char)tolower((unsigned char)letter);
    return text;
}

static inline size_t after_digits(const std::string& token, size_t at) {
    while (at < token.size() && isdigit((unsigned char)token[at])) at++;
    return at;
}

static inline size_t after_sign(const std::string& token, size_t at) {
    return at < token.size() && (token[at] == '-' || token[at] == '+') ? at + 1 : at;
}

static inline bool is_integer(const std::string& token) {
    size_t start = after_sign(token, 0);
    return token.size() > start && after_digits(token, start) == token.size();
}

// The integer without plus sign, leading zeros and minus zero, so that equal values are equal texts.
static inline std::string value_of(const std::string& integer) {
    size_t first = integer.find_first_not_of('0', after_sign(integer, 0));
    if (first == std::string::npos) return "0";
    return (integer[0] == '-' ? "-" : "") + integer.substr(first);
}

static inline bool is_number(const std::string& token) {
    size_t start = after_sign(token, 0);
    size_t at = after_digits(token, start);
    size_t digits = at - start;
    if (at < token.size() && token[at] == '.') {
        size_t end = after_digits(token, at + 1);
        digits += end - at - 1;
        at = end;
    }
    if (digits > 0 && at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
        size_t exponent = after_sign(token, at + 1);
        at = after_digits(token, exponent);
        if (at == exponent) return false;
    }
    return digits > 0 && at == token.size();
}

// Two integers are near only where they are equal. The slack lets a difference of exactly the tolerance pass.
static inline bool are_near(const std::string& wanted, const std::string& found, long double tolerance) {
    if (is_integer(wanted) && is_integer(found)) return value_of(wanted) == value_of(found);
    long double expected = strtold(wanted.c_str(), nullptr), got = strtold(found.c_str(), nullptr);
    if (!std::isfinite(expected) || !std::isfinite(got)) return false;
    long double room = tolerance + 1e-15L;
    return std::fabs(expected - got) <= room * std::max(1.0L, std::fabs(expected));
}

// Ends with the verdict on two lists that must be equal, item by item.
template <typename Equal>
static void compare_in_order(const std::vector<std::string>& wanted, const std::vector<std::string>& found,
                             const char* item, Equal equal) {
    for (size_t place = 0; place < wanted.size(); place++) {
        if (place >= found.size()) quitf(_wa, "the output ends before %s %d", item, int(place + 1));
        if (!equal(wanted[place], found[place]))
            quitf(_wa, "%s %d: expected %s, found %s", item, int(place + 1), compress(wanted[place]).c_str(),
                  compress(found[place]).c_str());
    }
    if (found.size() > wanted.size()) quitf(_wa, "the output goes on after %s %d", item, int(wanted.size()));
    quitf(_ok, "%d of %s", int(wanted.size()), item);
}

static inline void compare_in_order(const std::vector<std::string>& wanted, const std::vector<std::string>& found,
                                    const char* item) {
    compare_in_order(wanted, found, item, std::equal_to<std::string>());
}

// Ends with the verdict on two lists that must hold the same items equally often.
static inline void compare_in_any_order(std::vector<std::string> wanted, std::vector<std::string> found,
                                        const char* item) {
    std::sort(wanted.begin(), wanted.end());
    std::sort(found.begin(), found.end());
    for (size_t place = 0; place < std::max(wanted.size(), found.size()); place++) {
        bool is_missing = place >= found.size() || (place < wanted.size() && wanted[place] < found[place]);
        if (is_missing) quitf(_wa, "missing %s: %s", item, compress(wanted[place]).c_str());
        if (place >= wanted.size() || found[place] < wanted[place])
            quitf(_wa, "%s too much: %s", item, compress(found[place]).c_str());
    }
    quitf(_ok, "%d of %s", int(wanted.size()), item);
}

// Ends with a failure where the answer, or with a presentation error where the output, holds a token of another kind.
static inline void require_all(const std::vector<std::string>& wanted, const std::vector<std::string>& found,
                               bool (*is_kind)(const std::string&), const char* kind) {
    for (const std::string& token : wanted)
        if (!is_kind(token)) quitf(_fail, "the answer holds %s, which is no %s", compress(token).c_str(), kind);
    for (const std::string& token : found)
        if (!is_kind(token)) quitf(_pe, "%s is no %s", compress(token).c_str(), kind);
}
