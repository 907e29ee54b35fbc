#include "tools/sluice/ports_view.h"

#include <algorithm>

namespace sluice::cli {

namespace {

// Rates are of the last whole second, as the switch keeps them.
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
// By the names of SONiC's `show interfaces counters`.
constexpr Column counter_columns[] = {
    {"PORT", "port", Format::text, 0},      {"STATE", "link", Format::text, 0},
    {"RX_OK", "rx_ok", Format::count, 0},   {"RX_BPS", "rx_bps", Format::rate},
    {"RX_UTIL", "rx_share", Format::share}, {"RX_ERR", "rx_err", Format::count},
    {"RX_DRP", "rx_drp", Format::count, 0}, {"RX_OVR", "rx_ovr", Format::count, 2},
    {"TX_OK", "tx_ok", Format::count, 0},   {"TX_BPS", "tx_bps", Format::rate},
    {"TX_UTIL", "tx_share", Format::share}, {"TX_ERR", "tx_err", Format::count},
    {"TX_DRP", "tx_drp", Format::count, 0}, {"TX_OVR", "tx_ovr", Format::count, 2},
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

}  // namespace

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
            return std::max(0.0, now - then) / seconds;  // below where counters were cleared
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
