#include "tools/sluice/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "config/yaml/fault.h"

namespace sluice::cli {

namespace {

constexpr int deepest = 32;

bool is_list_of_texts(const Json& value) {
    return value.is_array() && std::ranges::all_of(value, &Json::is_string);
}

}  // namespace

int print_failure(const Failure& failure) {
    for (const std::string& line : failure.lines) {
        fmt::print(stderr, "{}\n", config::escaped(line));
    }
    return failure.status;
}

std::optional<tl::expected<Json, Failure>> read_reply(std::string_view line) {
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= deepest; };
    const Json reply = Json::parse(line, shallow, false);
    if (!reply.is_object() || !reply.contains("status")) return std::nullopt;
    // The type is constructed explicitly: some releases of the library would convert the JSON value
    // to the wrong one.
    if (reply["status"] == 0 && reply.contains("result")) {
        return tl::expected<Json, Failure>(tl::in_place, reply["result"]);
    }
    if (!reply.contains("errors") || !is_list_of_texts(reply["errors"])) return std::nullopt;
    return tl::unexpected(
        Failure{reply["status"] == 2 ? 2 : 1, reply["errors"].get<std::vector<std::string>>()});
}

}  // namespace sluice::cli
