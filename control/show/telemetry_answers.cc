#include "control/show/telemetry_answers.h"

#include <fmt/format.h>

#include <array>

namespace sluice::control {

namespace {

using Names = std::string_view;
constexpr std::array<Names, 1> by_name = {"name"};
constexpr std::array<Names, 1> by_index = {"index"};
constexpr std::array<Names, 1> by_priority = {"priority"};
constexpr std::array<Names, 2> by_group = {"port", "priority"};
constexpr std::array<Names, 3> by_queue = {"input", "output", "priority"};
constexpr std::array<Names, 3> by_drop = {"port", "side", "reason"};

constexpr auto commands = std::to_array<TelemetryNoun>({
    {"/sluice/ports", "ports", "", by_name, "Ports. Parameters: port"},
    {"/sluice/queues", "queues", "", by_queue, "VOQs. Parameters: input,output,priority"},
    {"/sluice/buffer", "buffer", "/groups", by_group, "Ingress groups. Parameters: port,priority"},
    {"/sluice/pool", "buffer", "/pool", {}, "The shared pool. No parameters"},
    {"/sluice/pfc", "pfc", "", by_group, "Pauses both ways. Parameters: port,priority"},
    {"/sluice/drops", "drops", "", by_drop, "Drops. Parameters: port,side,reason"},
    {"/sluice/latency", "latency", "/priorities", by_priority,
     "Time in the switch. Parameters: priority"},
    {"/sluice/workers", "workers", "", by_index, "Polling threads. Parameters: worker"},
    {"/sluice/ledger", "ledger", "", {}, "Whether every frame is accounted for. No parameters"},
});

constexpr std::size_t most_words = 200;  // 200 words of three names each are below 16 KB

std::string name_of(const TelemetryNoun& about, const Json& row) {
    std::string name;
    for (const std::string_view key : about.row_keys) {
        const Json& part = row.at(key);
        name += fmt::format("{}{}", name.empty() ? "" : ",",
                            part.is_string() ? part.get<std::string>() : part.dump());
    }
    return name;
}

void flatten(const Json& row, const std::string& before, Json& flat) {
    for (const auto& [key, value] : row.items()) {
        const std::string name = before + key;
        if (value.is_object()) {
            flatten(value, name + '_', flat);
        } else if (value.is_boolean()) {
            flat[name] = value.get<bool>() ? 1U : 0U;
        } else if (value.is_number_integer() && value >= 0) {
            flat[name] = value.get<uint64_t>();
        } else if (value.is_number()) {
            flat[name] = value.dump();
        } else if (value.is_string()) {
            flat[name] = value;
        }
    }
}

bool is_within(std::string_view name, std::string_view wanted) {
    return wanted.empty() || name == wanted ||
           (name.starts_with(wanted) && name[wanted.size()] == ',');
}

}  // namespace

std::span<const TelemetryNoun> telemetry_nouns() { return commands; }

Json telemetry_answer(const TelemetryNoun& about, const Json& shown, std::string_view parameters) {
    const Json& rows = shown.at(Json::json_pointer{std::string(about.rows)});
    Json flat = Json::object();
    if (about.row_keys.empty()) {
        flatten(rows, "", flat);
        return flat;
    }
    Json words = Json::array();
    std::size_t more = 0;
    for (const Json& row : rows) {
        const std::string name = name_of(about, row);
        if (!parameters.empty() && name == parameters) {
            flatten(row, "", flat);
            return flat;
        }
        if (!is_within(name, parameters)) continue;
        if (words.size() < most_words) {
            words.push_back(name);
        } else {
            ++more;
        }
    }
    if (more > 0) words.push_back(fmt::format("... and {} more", more));
    return words;
}

}  // namespace sluice::control
