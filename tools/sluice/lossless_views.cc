#include "tools/sluice/noun_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sluice::cli {

namespace {

constexpr Column queue_columns[] = {
    {"INPUT", "input", Format::text, 0},
    {"OUTPUT", "output", Format::text, 0},
    {"PRIORITY", "priority", Format::number, 0},
    {"WAITING", "frames", Format::count},
    {"HOLDS", "bytes", Format::size},
    {"AT MOST", "max_bytes", Format::size},
    {"ENQUEUED", "enqueued", Format::count},
    {"DEQUEUED", "dequeued", Format::count},
    {"DROPPED", "dropped", Format::count},
    {"STORM DROPS", "storm_dropped", Format::count, 2},
    {"MARKED", "marked", Format::count},
    {"TRIMMED", "trimmed", Format::count},
};
constexpr Column group_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"PRIORITY", "priority", Format::number, 0},
    {"LOSSLESS", "lossless", Format::yes_no},
    {"HOLDS", "occupancy_bytes", Format::size},
    {"AT MOST", "occupancy_max", Format::size},
    {"RESERVED", "reserved_bytes", Format::size, 2},
    {"XOFF", "xoff_bytes", Format::size},
    {"XON", "xon_bytes", Format::size},
    {"HEADROOM", "headroom_bytes", Format::size},
    {"OF IT USED", "headroom_used", Format::size, 2},
    {"AT MOST", "headroom_used_max", Format::size},
};
constexpr Column received_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"PRIORITY", "priority", Format::number, 0},
    {"LOSSLESS", "lossless", Format::yes_no, 2},
    {"UNPROVEN", "unproven", Format::list, 2},
    {"BY", "by", Format::text, 3},
    {"PAUSED", "paused", Format::yes_no},
    {"XOFF RX", "rx_pause", Format::count},
    {"QUEUE FULL", "queue_refusals", Format::count, 3},
    {"NIC RX", "device_rx_pause", Format::count, 3},
    {"PAUSED FOR", "paused_ns", Format::nanos},
    {"LAST SECOND", "paused_last_second_ns", Format::nanos},
    {"LAST MINUTE", "paused_last_minute_ns", Format::nanos, 2},
    {"WATCHDOG", "watchdog"},
    {"STORMS", "storms", Format::count},
    {"RETURNS", "storm_returns", Format::count, 3},
    {"RESTORES AFTER", "restores_after_ns", Format::nanos, 3},
    {"DROPPED", "storm_dropped", Format::count, 2},
    {"HOLDS UP", "holds_up", Format::prose, 0},
};
constexpr Column relayed_columns[] = {
    {"PORT", "port", Format::text, 0},        {"PRIORITY", "priority", Format::number, 0},
    {"TO THE PEER OF", "relayed_to"},         {"XOFF", "relayed_pause", Format::count},
    {"XON", "relayed_resume", Format::count}, {"CUT", "relay_cut", Format::yes_no},
};
constexpr Column sent_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"PRIORITY", "priority", Format::number, 0},
    {"PAUSING", "pausing", Format::yes_no},
    {"XOFF TX", "tx_pause", Format::count},
    {"XON TX", "tx_resume", Format::count, 2},
    {"QUEUE STOPPED", "queue_stops", Format::count, 3},
    {"IGNORED", "pause_ignored", Format::count},
    {"NIC TX", "device_tx_pause", Format::count, 3},
    {"PAUSED IT FOR", "pausing_ns", Format::nanos},
    {"LAST SECOND", "pausing_last_second_ns", Format::nanos},
    {"LAST MINUTE", "pausing_last_minute_ns", Format::nanos, 2},
    {"HOLDS", "occupancy_bytes", Format::size},
    {"XOFF", "xoff_bytes", Format::size},
    {"XON", "xon_bytes", Format::size, 3},
    {"HEADROOM", "headroom_bytes", Format::size, 2},
    {"OF IT USED", "headroom_used_max", Format::size, 2},
    {"BECAUSE OF", "because_of", Format::prose, 0},
};
constexpr auto latency_columns = std::to_array<Column>({
    {"PRIORITY", "priority", Format::number},
    {"TIMED", "frames", Format::count},
    {"MEAN", "mean_ns", Format::nanos},
    {"P50", "p50_ns", Format::nanos},
    {"P99", "p99_ns", Format::nanos},
    {"P99.9", "p999_ns", Format::nanos},
    {"MAX", "max_ns", Format::nanos},
});

// Returns `p2 (14), p0 (3)`: ports, and the number of pauses that each caused.
Json reasons(const Json& ports, const char* key) {
    std::string text;
    for (const Json& port : ports) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ",
                            show_cell(port.at(key), Format::text),
                            show_cell(port.at("pauses"), Format::count));
    }
    return text.empty() ? Json() : Json(text);
}

}  // namespace

std::string queues_view(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, queue_columns,
                          "No frame has been queued yet; --all shows every VOQ.");
}

std::string pfc_view(Sheet& sheet, const Json& result) {
    if (result.empty()) {
        return "No priority is lossless, and no pause was received or sent; "
               "--all shows every priority.\n";
    }
    Json rows = result;
    Json relayed = Json::array();
    for (Json& row : rows) {
        row["holds_up"] = reasons(row.at("holds_up"), "input");
        row["because_of"] = reasons(row.at("because_of"), "output");
        if (!row.at("relayed_to").is_null()) relayed.push_back(row);
    }
    std::string text =
        sheet.section("Received from peers. HOLDS UP: inputs paused because of this port.", rows,
                      received_columns);
    text = below(text, sheet.section("Relayed, not obeyed.", relayed, relayed_columns));
    return below(
        text, sheet.section("Sent to peers. BECAUSE OF: outputs that the frames waited for.", rows,
                            sent_columns));
}
std::string latency_view(Sheet& sheet, const Json& result) {
    const Json& sample = result.at("sample");
    std::string text = sample == 0
                           ? "Off: latency.sample is 0.\n"
                           : fmt::format(
                                 "Of one frame in {}, from the poll that received it to the "
                                 "end of the one that sent it.\n",
                                 show_cell(sample, Format::count));
    if (result.at("lost") != 0) {
        text += fmt::format("{} of these lost their place while they waited.\n",
                            show_cell(result.at("lost"), Format::count));
    }
    const Json& rows = result.at("priorities");
    const bool is_younger = std::ranges::any_of(
        rows, [](const Json& row) { return row.at("p999_ns") > row.at("max_ns"); });
    if (is_younger) text += "MAX is of the time since `sluice clear watermarks`.\n";
    return below(text, sheet.table_or(rows, latency_columns, "No frame was timed yet."));
}
std::string buffer_view(Sheet& sheet, const Json& result) {
    const Json& pool = result.at("pool");
    const auto size_of = [](const Json& object, const char* key) {
        return show_cell(object.at(key), Format::size);
    };
    return fmt::format("Buffer {} in cells of {}, {} of it reserved for each VOQ, alpha {}.\n",
                       size_of(result, "size_bytes"), size_of(result, "cell_bytes"),
                       size_of(result, "reserved_bytes"),
                       show_cell(result.at("alpha"), Format::ratio)) +
           fmt::format("Shared pool {}: {} used, {} free, {} used at most.\n\n",
                       size_of(pool, "size_bytes"), size_of(pool, "used_bytes"),
                       size_of(pool, "free_bytes"), size_of(pool, "max_used_bytes")) +
           sheet.table_or(result.at("groups"), group_columns,
                          "No (port, priority) ever held a frame; --all shows them nevertheless.");
}

}  // namespace sluice::cli
