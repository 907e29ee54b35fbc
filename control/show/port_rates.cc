#include "control/show/port_rates.h"

#include <algorithm>
#include <string>

namespace sluice::control {

namespace {

std::optional<PortRate> rate_between(const PortReading& before, const PortReading& now,
                                     double seconds) {
    const bool began_again = now.rx_frames < before.rx_frames || now.rx_bytes < before.rx_bytes ||
                             now.tx_frames < before.tx_frames || now.tx_bytes < before.tx_bytes;
    if (began_again) return {};
    const auto rise = [&](uint64_t PortReading::*of) {
        return static_cast<double>(now.*of - before.*of) / seconds;
    };
    return PortRate{rise(&PortReading::rx_frames), rise(&PortReading::rx_bytes),
                    rise(&PortReading::tx_frames), rise(&PortReading::tx_bytes)};
}

void add(Json& shown, const std::string& side, double frames, double octets, BitsPerSecond link) {
    shown[side + "_bps"] = octets * 8;
    shown[side + "_fps"] = frames;
    constexpr auto around = static_cast<double>(wire_overhead.count());
    const auto capacity = static_cast<double>(link.count());
    shown[side + "_share"] =
        capacity > 0 ? Json((octets + frames * around) * 8 / capacity) : Json();
}

}  // namespace

void PortRates::take(std::span<const PortReading> readings, Nanos now) {
    const double seconds = static_cast<double>((now - at_).count()) / 1e9;
    if (seconds <= 0) return;
    rates_.assign(readings.size(), std::nullopt);
    for (std::size_t port = 0; port < std::min(readings.size(), before_.size()); ++port) {
        rates_[port] = rate_between(before_[port], readings[port], seconds);
    }
    before_.assign(readings.begin(), readings.end());
    at_ = now;
}

Json json_of(const std::optional<PortRate>& rate, BitsPerSecond link) {
    Json shown;
    if (rate) {
        add(shown, "rx", rate->rx_frames, rate->rx_bytes, link);
        add(shown, "tx", rate->tx_frames, rate->tx_bytes, link);
    } else {
        for (const char* key : {"rx_bps", "rx_fps", "rx_share", "tx_bps", "tx_fps", "tx_share"}) {
            shown[key] = nullptr;
        }
    }
    return shown;
}

}  // namespace sluice::control
