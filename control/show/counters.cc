#include "control/show/counters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sluice::control {

namespace {

constexpr std::array<std::string_view, 3> malformed_reasons = {"runt", "truncated_tag",
                                                               "truncated_ip"};

struct Dropped {
    uint64_t malformed = 0;
    uint64_t oversize = 0;
    uint64_t received = 0;  // received frames dropped for reasons other than these two
    uint64_t too_long = 0;
    uint64_t to_send = 0;  // frames to send, dropped for reasons other than `too_long`
};

std::map<std::string, Dropped> dropped_by_port(const Json& drops) {
    std::map<std::string, Dropped> ports;
    for (const Json& row : drops) {
        if (row.at("consumed") == true) continue;
        Dropped& port = ports[row.at("port").get<std::string>()];
        const auto reason = row.at("reason").get<std::string>();
        const auto frames = row.at("frames").get<uint64_t>();
        if (row.at("side") == "egress") {
            (reason == "too_long_for_interface" ? port.too_long : port.to_send) += frames;
        } else if (std::ranges::find(malformed_reasons, reason) != malformed_reasons.end()) {
            port.malformed += frames;
        } else {
            (reason == "oversize" ? port.oversize : port.received) += frames;
        }
    }
    return ports;
}

uint64_t of_device(const Json& port, const char* counter) {
    return port.at("device_counters").value(counter, uint64_t{0});
}

}  // namespace

Json counters_of(const Json& ports, const Json& drops) {
    const auto dropped = dropped_by_port(drops);
    Json rows = Json::array();
    for (const Json& port : ports) {
        const auto found = dropped.find(port.at("name").get<std::string>());
        const Dropped& not_sent = found == dropped.end() ? Dropped{} : found->second;
        const auto received = port.at("rx_frames").get<uint64_t>();
        // `drops` was read later than `ports`, so it may count frames that `ports` does not count
        // yet.
        const uint64_t wrong = std::min(received, not_sent.malformed + not_sent.oversize);
        rows.push_back({
            {"port", port.at("name")},
            {"link", port.at("link")},
            {"rx_ok", received - wrong},
            {"rx_bps", port.at("rx_bps")},
            {"rx_share", port.at("rx_share")},
            {"rx_err", not_sent.malformed + of_device(port, "receive_errors")},
            {"rx_drp", not_sent.received + of_device(port, "missed")},
            {"rx_ovr", not_sent.oversize},
            {"tx_ok", port.at("tx_frames")},
            {"tx_bps", port.at("tx_bps")},
            {"tx_share", port.at("tx_share")},
            {"tx_err", of_device(port, "transmit_errors")},
            {"tx_drp", not_sent.to_send},
            {"tx_ovr", not_sent.too_long},
        });
    }
    return rows;
}

}  // namespace sluice::control
