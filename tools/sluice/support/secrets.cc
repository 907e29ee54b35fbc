#include "tools/sluice/support/secrets.h"

#include <algorithm>
#include <array>

namespace sluice::cli {

namespace {

constexpr std::array<std::string_view, 6> telling = {"token",      "secret",    "password",
                                                     "passphrase", "community", "private"};
constexpr std::string_view left_out = "LEFT_OUT";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_of_a_name(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(" -"), line.size());
}

// Returns the offset of the value if the line's key is that of a secret, else npos.
std::size_t secret_in(std::string_view line) {
    std::string small(line);
    std::ranges::transform(small, small.begin(), lower);
    std::size_t best = std::string_view::npos;
    for (const std::string_view word : telling) {
        for (std::size_t at = small.find(word); at != std::string::npos;
             at = small.find(word, at + 1)) {
            std::size_t end = at + word.size();
            while (end < small.size() && is_of_a_name(small[end])) ++end;
            while (end < small.size() && (small[end] == '"' || small[end] == '\'')) ++end;
            while (end < small.size() && small[end] == ' ') ++end;
            if (end < small.size() && small[end] == ':') best = std::min(best, end + 1);
        }
    }
    return best;
}

// Whether a quote may begin a quoted text here. In other places it is a character of the text, as
// in `the lab's`.
bool may_open_a_quote(std::string_view before) {
    const std::size_t last = before.find_last_not_of(" \t");
    return last == std::string_view::npos ||
           std::string_view(":,[{-?").find(before[last]) != std::string_view::npos;
}

// Returns the offset of the comment of a line.
std::size_t comment_in(std::string_view line) {
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if ((c == '"' || c == '\'') && may_open_a_quote(line.substr(0, at))) {
            quote = c;
        } else if (c == '#' && (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t')) {
            return at;
        }
    }
    return line.size();
}

}  // namespace

std::string without_secrets(std::string_view text) {
    std::string kept;
    std::size_t below = std::string_view::npos;  // lines with a deeper indent belong to a secret
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line = line.substr(0, comment_in(line));
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        if (line.empty()) continue;
        if (below != std::string_view::npos && indent_of(line) > below) continue;
        below = std::string_view::npos;
        const std::size_t secret = secret_in(line);
        if (secret == std::string_view::npos) {
            kept += line;
        } else {
            // The rest of the line is removed, since only YAML defines where a value ends.
            kept += line.substr(0, secret);
            kept += ' ';
            kept += left_out;
            const auto opened = std::ranges::count(line.substr(0, secret), '{') -
                                std::ranges::count(line.substr(0, secret), '}');
            kept.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(opened, 0)), '}');
            below = indent_of(line);
        }
        kept += '\n';
    }
    return kept;
}

}  // namespace sluice::cli
