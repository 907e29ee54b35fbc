#include "tools/sluice/ports_view.h"

#include <algorithm>

namespace sluice::cli {

namespace {

// Rates are those that the switch measured in the last whole second.
constexpr Column port_columns[] = {
    {"PORT", "name", Format::text, 0},
    {"LINK", "link", Format::text, 0},
    {"ADMIN", "admin_status", Format::text, 3},
    {"RATE", "rate_bps", Format::rate, 2},
    {"RX", "rx_bps", Format::rate},
    {"RX %", "rx_share", Format::share},
    {"RX/S", "rx_fps", Format::per_second, 2},
    {"RX FRAMES", "rx_frames", Format::count},
    {"RX OCTETS", "rx_bytes", Format::count, 3},
    {"TX", "tx_bps", Format::rate},
    {"TX %", "tx_share", Format::share},
    {"TX/S", "tx_fps", Format::per_second, 2},
    {"TX FRAMES", "tx_frames", Format::count},
    {"TX OCTETS", "tx_bytes", Format::count, 3},
    {"DROPPED", "dropped", Format::count, 0},
    {"MISSED", "device_counters/missed", Format::count, 2},
    {"STALLED", "egress_stalled", Format::yes_no, 3},
    {"DEVICE", "device", Format::text, 3},
    {"AGGREGATION", "aggregation", Format::text, 3},
    {"PFC RX", "pfc_rx", Format::text, 3},
    {"PFC TX", "pfc_tx", Format::text, 3},
    {"LLDP RX", "lldp_rx", Format::text, 3},
};
// Column names are those of SONiC's `show interfaces counters`.
constexpr Column counter_columns[] = {
    {"PORT", "port", Format::text, 0},      {"STATE", "link", Format::text, 0},
    {"RX_OK", "rx_ok", Format::count, 0},   {"RX_BPS", "rx_bps", Format::rate},
    {"RX_UTIL", "rx_share", Format::share}, {"RX_ERR", "rx_err", Format::count},
    {"RX_DRP", "rx_drp", Format::count, 0}, {"RX_OVR", "rx_ovr", Format::count, 2},
    {"TX_OK", "tx_ok", Format::count, 0},   {"TX_BPS", "tx_bps", Format::rate},
    {"TX_UTIL", "tx_share", Format::share}, {"TX_ERR", "tx_err", Format::count},
    {"TX_DRP", "tx_drp", Format::count, 0}, {"TX_OVR", "tx_ovr", Format::count, 2},
};
constexpr Column history_columns[] = {
    {"PORT", "port", Format::text, 0},
    {"RX", "rx", Format::rate, 0},
    {"RX MOST", "rx_most", Format::rate},
    {"RX, 10 MINUTES", "rx_line", Format::text},
    {"TX", "tx", Format::rate, 0},
    {"TX MOST", "tx_most", Format::rate},
    {"TX, 10 MINUTES", "tx_line", Format::text},
    {"PAUSED MOST", "paused_most", Format::share, 2},
    {"PAUSING MOST", "pausing_most", Format::share, 2},
};
constexpr Column rate_columns[] = {
    {"PORT", "name"},
    {"LINK", "link"},
    {"RX", "rx_bps", Format::rate},
    {"RX FRAMES", "rx_fps", Format::per_second},
    {"TX", "tx_bps", Format::rate},
    {"TX FRAMES", "tx_fps", Format::per_second},
    {"DROPPED", "dropped_fps", Format::per_second},
    {"SINCE START", "dropped", Format::count},
};

// Returns the largest of the known values.
double most_of(const Json& points) {
    double most = 0;
    for (const Json& point : points) {
        if (point.is_number()) most = std::max(most, point.get<double>());
    }
    return most;
}

// Returns ten characters, one for each of ten minutes. A character shows the highest point of its
// minute, relative to the highest of all points.
std::string line_of(const Json& points) {
    constexpr std::string_view levels = ".:-=+*#";
    constexpr std::size_t signs = 10;
    constexpr std::size_t points_a_sign = 12;
    const double most = most_of(points);
    std::string line;
    for (std::size_t sign = signs; sign-- > 0;) {
        double highest = -1;
        for (std::size_t point = 0; point < points_a_sign; ++point) {
            const std::size_t ago = sign * points_a_sign + point;
            if (ago >= points.size()) break;
            const Json& value = points[points.size() - 1 - ago];
            if (value.is_number()) highest = std::max(highest, value.get<double>());
        }
        if (highest < 0) {
            line += ' ';
        } else {
            const double share = most > 0 ? highest / most : 0;
            line += levels[static_cast<std::size_t>(share * (levels.size() - 1))];
        }
    }
    return line;
}

Json history_row(const Json& row) {
    const auto last = [&](const char* key) {
        return row.at(key).empty() ? Json() : row.at(key).back();
    };
    return {{"port", row.at("port")},
            {"rx", last("rx_bps")},
            {"rx_most", most_of(row.at("rx_bps"))},
            {"rx_line", line_of(row.at("rx_bps"))},
            {"tx", last("tx_bps")},
            {"tx_most", most_of(row.at("tx_bps"))},
            {"tx_line", line_of(row.at("tx_bps"))},
            {"paused_most", most_of(row.at("paused_share"))},
            {"pausing_most", most_of(row.at("pausing_share"))}};
}

}  // namespace

std::string history_view(Sheet& sheet, const Json& result) {
    Json rows = Json::array();
    for (const Json& row : result) rows.push_back(history_row(row));
    return sheet.table_or(rows, history_columns, "No ports.");
}

std::string ports_view(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, port_columns, "No ports.");
}

std::string counters_view(Sheet& sheet, const Json& result) {
    return sheet.table_or(result, counter_columns, "No ports.");
}

std::string render_rates(const Json& before, const Json& after, double seconds, Sheet& sheet) {
    Json rows = Json::array();
    for (std::size_t port = 0; port < std::min(before.size(), after.size()); ++port) {
        const auto per_second = [&](const char* key) {
            const double now = after[port].at(key).get<double>();
            const double then = before[port].at(key).get<double>();
            return std::max(0.0, now - then) / seconds;  // 0 if counters were cleared
        };
        rows.push_back({{"name", after[port].at("name")},
                        {"link", after[port].at("link")},
                        {"rx_bps", per_second("rx_bytes") * 8},
                        {"rx_fps", per_second("rx_frames")},
                        {"tx_bps", per_second("tx_bytes") * 8},
                        {"tx_fps", per_second("tx_frames")},
                        {"dropped_fps", per_second("dropped")},
                        {"dropped", after[port].at("dropped")}});
    }
    return sheet.table(rows, rate_columns, Sheet::Empty::titles);
}

}  // namespace sluice::cli
