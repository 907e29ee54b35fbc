#include "tools/sluice/sim/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <system_error>

#include "config/yaml/fault.h"

namespace sluice::cli {

namespace {

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> values(1);
    int depth = 0;
    for (const char letter : list) {
        depth += letter == '[' || letter == '{' ? 1 : letter == ']' || letter == '}' ? -1 : 0;
        if (letter == ',' && depth == 0) {
            values.emplace_back();
        } else {
            values.back() += letter;
        }
    }
    return values;
}

std::optional<uint64_t> whole_number(std::string_view text) {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end) return std::nullopt;
    return number;
}

// Adds the value, or the numbers of a range such as `1..1000`. Of a range that is too long, adds
// one number more than the limit, which the caller then reports.
void add_value(const std::string& value, std::vector<std::string>& values) {
    const std::size_t dots = value.find("..");
    const auto first = whole_number(std::string_view(value).substr(0, dots));
    const auto last = dots == std::string::npos
                          ? std::nullopt
                          : whole_number(std::string_view(value).substr(dots + 2));
    if (!first || !last || *first > *last) return values.push_back(value);
    const uint64_t count = std::min<uint64_t>(*last - *first, most_combinations) + 1;
    for (uint64_t n = 0; n < count; ++n) values.push_back(fmt::format("{}", *first + n));
}

}  // namespace

tl::expected<Swept, std::string> parse_sweep(std::string_view word) {
    const auto change = sim::parse_override(word);
    if (!change) return tl::unexpected(change.error());
    Swept swept{change->path, {}};
    for (const std::string& value : split(change->value)) add_value(value, swept.values);
    if (std::ranges::find(swept.values, "") == swept.values.end()) return swept;
    return tl::unexpected(fmt::format("{} lacks a value; write for example cable.length=5m,100m",
                                      config::in_quotes(word)));
}

std::vector<Changes> combinations(const std::vector<Swept>& swept) {
    std::vector<Changes> all(1);
    for (const Swept& one : swept) {
        std::vector<Changes> longer;
        for (const Changes& before : all) {
            for (const std::string& value : one.values) {
                longer.push_back(before);
                longer.back().push_back({one.key, value});
            }
            if (longer.size() > most_combinations) return longer;
        }
        all = std::move(longer);
    }
    return all;
}

Changes Sweep::changes_in(const Changes& combination) const {
    Changes all = changes;
    all.insert(all.end(), combination.begin(), combination.end());
    return all;
}

std::string key_given_twice(const Sweep& sweep) {
    for (auto swept = sweep.swept.begin(); swept != sweep.swept.end(); ++swept) {
        const bool again = std::ranges::find(std::next(swept), sweep.swept.end(), swept->key,
                                             &Swept::key) != sweep.swept.end();
        const bool set = std::ranges::find(sweep.changes, swept->key, &sim::Override::path) !=
                         sweep.changes.end();
        if (again || set) return swept->key;
    }
    return {};
}

Json words_of(const Changes& changes) {
    Json words = Json::array();
    for (const sim::Override& change : changes) words.push_back(change.path + '=' + change.value);
    return words;
}

}  // namespace sluice::cli
