#include "config/yaml/fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace sluice::config {

namespace {

constexpr std::size_t longest_quote = 40;

bool continues_a_character(char octet) {
    return (static_cast<unsigned char>(octet) & 0xC0) == 0x80;
}

std::string_view shortened(std::string_view text) {
    if (text.size() <= longest_quote) return text;
    std::size_t end = longest_quote;
    while (end > 0 && continues_a_character(text[end])) --end;
    return text.substr(0, end);
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto octet = static_cast<unsigned char>(text[at]);
        // U+0080 to U+009F, in UTF-8 C2 80 to C2 9F, are control characters too.
        const bool upper_control = octet == 0xC2 && at + 1 < text.size() &&
                                   static_cast<unsigned char>(text[at + 1]) < 0xA0;
        if (octet < 0x20 || octet == 0x7F || upper_control) {
            shown += fmt::format("\\x{:02X}", octet);
            if (upper_control) {
                shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[++at]));
            }
        } else {
            shown += text[at];
        }
    }
    return shown;
}

std::string in_path(std::string_view word) {
    const std::string_view kept = shortened(word);
    return escaped(kept) + (kept.size() < word.size() ? "..." : "");
}

std::string in_quotes(std::string_view word) { return '"' + in_path(word) + '"'; }

std::string joined(std::span<const std::string_view> words, std::string_view between) {
    return fmt::format("{}", fmt::join(words, between));
}

std::string to_string(const Fault& fault) {
    return fmt::format("{}:{}:{}: {}: {}; {}", fault.file, fault.at.line, fault.at.column,
                       fault.path, fault.what, fault.remedy);
}

std::vector<std::string> lines_of(const std::vector<Fault>& faults) {
    std::vector<std::string> lines;
    for (const Fault& fault : faults) lines.push_back(to_string(fault));
    return lines;
}

void Report::add(Position at, std::string path, std::string what, std::string remedy) {
    if (full_ || !seen_.emplace(at, path, what).second) return;
    full_ = faults_.size() == most_faults;
    if (full_) return;
    faults_.push_back({file_, at, std::move(path), std::move(what), std::move(remedy)});
}

std::vector<Fault> Report::take() {
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](const Fault& a, const Fault& b) { return a.at < b.at; });
    if (std::exchange(full_, false)) {
        faults_.push_back({file_, faults_.back().at, "file", "has more faults than these",
                           "correct them, and the rest is read"});
    }
    seen_.clear();
    return std::exchange(faults_, {});
}

}  // namespace sluice::config
