#include "tools/sluice/fault_json.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

// Removes the text before `end`, and `end`, from `rest`; returns the text.
std::optional<std::string_view> taken(std::string_view& rest, std::string_view end) {
    const std::size_t at = rest.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = rest.substr(0, at);
    rest.remove_prefix(at + end.size());
    return before;
}

std::optional<int> number(std::optional<std::string_view> text) {
    if (!text) return std::nullopt;
    int value = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

// Parses `FILE:LINE:COLUMN: path: what; remedy`.
std::optional<config::Fault> fault_of(std::string_view line, std::string_view file) {
    if (file.empty() || !line.starts_with(file)) return std::nullopt;
    std::string_view rest = line.substr(file.size());
    if (!rest.starts_with(':')) return std::nullopt;
    rest.remove_prefix(1);
    const auto row = number(taken(rest, ":"));
    const auto column = number(taken(rest, ": "));
    const auto path = taken(rest, ": ");
    const auto what = taken(rest, "; ");
    if (!row || !column || !path || !what) return std::nullopt;
    return config::Fault{.file = std::string(file),
                         .at = {.line = *row, .column = *column},
                         .path = std::string(*path),
                         .what = std::string(*what),
                         .remedy = std::string(rest)};
}

}  // namespace

Json fault_json(const config::Fault& fault) {
    return {{"file", fault.file}, {"line", fault.at.line}, {"column", fault.at.column},
            {"path", fault.path}, {"message", fault.what}, {"remedy", fault.remedy}};
}

Json faults_json(const std::vector<config::Fault>& faults) {
    Json rows = Json::array();
    for (const config::Fault& fault : faults) rows.push_back(fault_json(fault));
    return rows;
}

Json faults_json(const std::vector<std::string>& lines, std::string_view file) {
    Json rows = Json::array();
    for (const std::string& line : lines) {
        if (const auto fault = fault_of(line, file)) {
            rows.push_back(fault_json(*fault));
        } else {
            rows.push_back({{"file", nullptr},
                            {"line", nullptr},
                            {"column", nullptr},
                            {"path", nullptr},
                            {"message", line},
                            {"remedy", nullptr}});
        }
    }
    return rows;
}

Json changes_json(const std::vector<config::Change>& changes, const char* from, const char* to) {
    const auto or_null = [](const std::optional<std::string>& text) {
        return text ? Json(*text) : Json();
    };
    Json rows = Json::array();
    for (const config::Change& change : changes) {
        rows.push_back(
            {{"key", change.path}, {from, or_null(change.from)}, {to, or_null(change.to)}});
    }
    return rows;
}

void print_changes(const std::vector<config::Change>& changes) {
    for (const config::Change& change : changes) {
        fmt::print("{}: {} > {}\n", config::escaped(change.path),
                   config::escaped(change.from.value_or("default")),
                   config::escaped(change.to.value_or("default")));
    }
}

int print_outcome(Json outcome, Json faults, int status) {
    outcome["ok"] = status == 0;
    outcome["faults"] = std::move(faults);
    fmt::print("{}\n", json_text(outcome, 2));
    return status;
}

int print_failure(const Failure& failure, bool json, std::string_view file) {
    if (!json) return print_failure(failure);
    return print_outcome(Json::object(), faults_json(failure.lines, file), failure.status);
}

int print_faults(const std::vector<config::Fault>& faults, bool json, int status) {
    if (!json) return print_failure({status, lines_of(faults)});
    return print_outcome(Json::object(), faults_json(faults), status);
}

}  // namespace sluice::cli
