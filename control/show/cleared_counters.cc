#include "control/show/cleared_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "control/show/counter_rows.h"
#include "control/show/latency.h"

namespace sluice::control {

namespace {

// How the rows of a noun are cleared: the keys that identify a row, the counters that are
// subtracted, and `shown_if`: a row is only shown if one of these counters is not 0.
struct Counted {
    std::string_view noun;
    std::string_view list = {};  // key of the rows in the noun's object; empty: the noun is a list
    std::span<const std::string_view> row_keys = {};
    std::span<const std::string_view> counters = {};
    std::span<const std::string_view> shown_if = {};  // empty: every row is shown
};

using Names = std::string_view;
constexpr std::array<Names, 4> port_keys = {"name", "port", "input", "output"};
constexpr std::array<Names, 1> by_name = {"name"};
constexpr std::array<Names, 1> by_port = {"port"};
constexpr std::array<Names, 1> by_priority = {"priority"};
constexpr std::array<Names, 1> by_pairs = {"pairs"};
constexpr std::array<Names, 3> by_queue = {"input", "output", "priority"};
constexpr std::array<Names, 2> by_group = {"port", "priority"};
constexpr std::array<Names, 2> by_output = {"output", "priority"};
constexpr std::array<Names, 3> by_vtep = {"port", "vni", "vtep"};
constexpr std::array<Names, 3> by_reason = {"reason", "port", "side"};
constexpr std::array<Names, 1> lane_counters = {"rx_frames"};
constexpr std::array<Names, 4> queue_shown_if = {"frames", "enqueued", "dropped", "trimmed"};
constexpr std::array<Names, 1> of_frames = {"frames"};
constexpr std::array<Names, 1> of_slots = {"slots"};
constexpr std::array<Names, 1> latency_lost = {"lost"};
constexpr auto counted = std::to_array<Counted>({
    {.noun = "ports", .row_keys = by_name, .counters = all_keys_of<port_counters>},
    {.noun = "queues",
     .row_keys = by_queue,
     .counters = all_keys_of<queue_counters>,
     .shown_if = queue_shown_if},
    {.noun = "pfc", .row_keys = by_group, .counters = all_keys_of<pfc_counters>},
    {.noun = "credits",
     .list = "ports",
     .row_keys = by_port,
     .counters = all_keys_of<credit_port_counters>},
    {.noun = "credits",
     .list = "priorities",
     .row_keys = by_group,
     .counters = all_keys_of<credit_priority_counters>},
    {.noun = "csig", .row_keys = by_port, .counters = all_keys_of<csig_counters>},
    {.noun = "retry", .row_keys = by_port, .counters = all_keys_of<retry_counters>},
    {.noun = "drops", .row_keys = by_reason, .counters = of_frames, .shown_if = of_frames},
    {.noun = "lldp", .row_keys = by_port, .counters = all_keys_of<lldp_counters>},
    {.noun = "lacp", .row_keys = by_port, .counters = all_keys_of<lacp_counters>},
    {.noun = "spanning-tree",
     .list = "ports",
     .row_keys = by_port,
     .counters = all_keys_of<tree_port_counters>},
    {.noun = "vteps", .row_keys = by_vtep, .counters = all_keys_of<vtep_counters>},
    {.noun = "fabric", .list = "histogram", .row_keys = by_pairs, .counters = of_slots},
    {.noun = "fabric",
     .list = "bypassed",
     .row_keys = by_output,
     .counters = of_frames,
     .shown_if = of_frames},
    {.noun = "latency", .list = "priorities", .row_keys = by_priority, .shown_if = of_frames},
});

std::string key_of(const Counted& about, const Json& row) {
    std::string key = fmt::format("{}/{}", about.noun, about.list);
    for (const std::string_view name : about.row_keys) key += '/' + row.at(name).dump();
    return key;
}

// Subtracts from each number in `now` the number in `before`. A device may have restarted its
// counters: if `now` is below `before`, the difference is 0.
Json difference(const Json& now, const Json& before) {
    if (now.is_object()) {
        Json rest = now;
        for (auto& [name, value] : rest.items()) {
            if (before.contains(name)) value = difference(value, before.at(name));
        }
        return rest;
    }
    if (now.is_array() && before.is_array() && now.size() == before.size()) {
        Json rest = now;
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = difference(now[i], before[i]);
        return rest;
    }
    if (!now.is_number_unsigned() && !now.is_number_integer()) return now;
    if (!before.is_number()) return now;
    const auto count = now.get<int64_t>();
    return count - std::min(count, before.get<int64_t>());
}

void subtract(Json& row, const Json& reading, std::span<const std::string_view> counters) {
    for (const std::string_view name : counters) {
        if (row.contains(name) && reading.contains(name)) {
            row[std::string(name)] = difference(row.at(name), reading.at(name));
        }
    }
}

bool is_shown(const Counted& about, const Json& row) {
    return about.shown_if.empty() ||
           std::ranges::any_of(about.shown_if,
                               [&](std::string_view name) { return row.at(name) != 0; });
}

Json& rows_of(const Counted& about, Json& shown) {
    return about.list.empty() ? shown : shown[std::string(about.list)];
}

// Sets `dropped` of each port to the sum of its rows of `drops`, because `drops` was read later
// than `ports`.
void recount_drops(Json& ports, const Json& drops) {
    for (Json& port : ports) {
        uint64_t frames = 0;
        for (const Json& row : drops) {
            if (row.at("port") == port.at("name")) frames += row.at("frames").get<uint64_t>();
        }
        port["dropped"] = frames;
    }
}

// Frames that wait at the moment of clearing count as enqueued after clearing, since they are
// dequeued after it.
void count_waiting_later(Json& queues) {
    for (Json& queue : queues) {
        queue["enqueued"] =
            queue.at("dequeued").get<uint64_t>() + queue.at("flushed").get<uint64_t>();
    }
}

// Whether a row is about the port.
bool is_of(const Json& row, const std::string& port) {
    return std::ranges::any_of(
        port_keys, [&](std::string_view key) { return row.contains(key) && row.at(key) == port; });
}

void subtract_lanes(Json& port, const Json& reading) {
    for (std::size_t lane = 0; lane < port.at("lanes").size(); ++lane) {
        subtract(port["lanes"][lane], reading.at("lanes").at(lane), lane_counters);
    }
}

void recompute_mean(Json& fabric) {
    const auto slots = fabric.at("slots").get<double>();
    fabric["mean_matching"] = slots == 0 ? 0.0 : fabric.at("pairs").get<double>() / slots;
}

}  // namespace

void ClearedCounters::take(const Show& show) {
    readings_.clear();
    std::map<std::string_view, Json> shown;
    for (const Counted& about : counted) {
        if (!shown.contains(about.noun)) shown[about.noun] = show(about.noun);
    }
    recount_drops(shown["ports"], shown["drops"]);
    count_waiting_later(shown["queues"]);
    for (const char* object : {"fabric", "latency"}) readings_[object] = shown[object];
    for (const Counted& about : counted) {
        for (Json& row : rows_of(about, shown[about.noun])) {
            if (is_shown(about, row)) readings_.insert_or_assign(key_of(about, row), row);
        }
    }
}

void ClearedCounters::take_port(const std::string& name, const Show& show) {
    std::erase_if(readings_, [&](const auto& reading) { return is_of(reading.second, name); });
    std::map<std::string_view, Json> shown;
    for (const Counted& about : counted) {
        if (!shown.contains(about.noun)) shown[about.noun] = show(about.noun);
        for (Json& row : rows_of(about, shown[about.noun])) {
            if (is_of(row, name)) readings_.insert_or_assign(key_of(about, row), row);
        }
    }
}

void ClearedCounters::forget(std::string_view noun, const std::string& port) {
    const std::string rows = fmt::format("{}/", noun);
    std::erase_if(readings_, [&](const auto& reading) {
        return reading.first.starts_with(rows) && is_of(reading.second, port);
    });
}

void ClearedCounters::rename(const std::map<std::string, std::string>& ports) {
    std::map<std::string, Json, std::less<>> renamed;
    for (auto& [key, row] : readings_) {
        const auto about = std::ranges::find_if(counted, [&](const Counted& noun) {
            return key.starts_with(fmt::format("{}/{}/", noun.noun, noun.list));
        });
        if (about == counted.end()) {  // the noun's object itself, which has no identifying keys
            renamed.insert_or_assign(key, std::move(row));
            continue;
        }
        for (const std::string_view name : about->row_keys) {
            Json& value = row.at(name);
            if (std::ranges::find(port_keys, name) == port_keys.end()) continue;
            const auto found = ports.find(value.get<std::string>());
            if (found != ports.end()) value = found->second;
        }
        std::string now = key_of(*about, row);
        renamed.insert_or_assign(std::move(now), std::move(row));
    }
    readings_ = std::move(renamed);
}

Json ClearedCounters::since(std::string_view noun, Json shown, bool all) const {
    if (readings_.empty()) return shown;
    for (const Counted& about : counted) {
        if (about.noun != noun) continue;
        Json kept = Json::array();
        for (Json& row : rows_of(about, shown)) {
            const auto reading = readings_.find(key_of(about, row));
            if (reading != readings_.end()) {
                subtract(row, reading->second, about.counters);
                if (noun == "ports") subtract_lanes(row, reading->second);
                if (noun == "latency") subtract_waits(row, reading->second);
            }
            if (all || is_shown(about, row)) kept.push_back(std::move(row));
        }
        rows_of(about, shown) = std::move(kept);
    }
    if (noun == "fabric" && readings_.contains("fabric")) {
        subtract(shown, readings_.at("fabric"), all_keys_of<fabric_counters>);
        recompute_mean(shown);
    }
    if (noun == "latency" && readings_.contains("latency")) {
        subtract(shown, readings_.at("latency"), latency_lost);
    }
    return shown;
}

}  // namespace sluice::control
