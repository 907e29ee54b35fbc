#include "tools/sluice/doctor/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sluice::cli {

namespace {

constexpr std::size_t longest_text = 64 * 1024;
constexpr unsigned most_cpus = 4096;
constexpr std::string_view blanks = " \t\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return number;
}

}  // namespace

std::optional<std::string> Machine::text(std::string_view path) const {
    std::ifstream file(at(path));
    if (!file) return std::nullopt;
    std::string text(longest_text, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

std::optional<int64_t> Machine::number(std::string_view path) const {
    const auto read = text(path);
    return read ? number_of<int64_t>(trimmed(*read)) : std::nullopt;
}

std::optional<std::string> Machine::field(std::string_view path, std::string_view name) const {
    const auto read = text(path);
    if (!read) return std::nullopt;
    std::string_view rest = *read;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (!line.starts_with(name)) continue;
        const std::string_view after = trimmed(line.substr(name.size()));
        if (after.starts_with(':')) return std::string(trimmed(after.substr(1)));
    }
    return std::nullopt;
}

bool Machine::holds(unsigned capability) const {
    const std::string text = field("/proc/self/status", "CapEff").value_or("0");
    return (std::strtoull(text.c_str(), nullptr, 16) >> capability & 1) != 0;
}

bool Machine::exists(std::string_view path) const {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(at(path), ignored));
}

std::vector<std::string> Machine::names(std::string_view path) const {
    std::vector<std::string> names;
    std::error_code stop;
    for (std::filesystem::directory_iterator entry(at(path), stop), end; !stop && entry != end;
         entry.increment(stop)) {
        names.push_back(entry->path().filename());
    }
    std::ranges::sort(names);
    return names;
}

std::optional<std::string> Machine::target(std::string_view path) const {
    std::error_code none;
    const auto to = std::filesystem::read_symlink(at(path), none);
    if (none) return std::nullopt;
    return to.filename().string();
}

std::set<unsigned> cpus_of(std::string_view list) {
    std::set<unsigned> cpus;
    while (!list.empty()) {
        const std::string_view range = trimmed(list.substr(0, list.find(',')));
        list.remove_prefix(std::min(list.size(), list.find(',') == std::string_view::npos
                                                     ? list.size()
                                                     : list.find(',') + 1));
        const std::size_t dash = range.find('-');
        const auto first = number_of<unsigned>(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : number_of<unsigned>(range.substr(dash + 1));
        if (!first || !last) continue;
        for (unsigned cpu = *first; cpu <= std::min(*last, most_cpus); ++cpu) cpus.insert(cpu);
    }
    return cpus;
}

std::string list_of(const std::set<unsigned>& cpus) {
    return fmt::format("{}", fmt::join(cpus, ","));
}

}  // namespace sluice::cli
