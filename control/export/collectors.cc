#include "control/export/collectors.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::control {

void Collectors::set(const std::vector<std::string>& endpoints) {
    auto before = std::exchange(all_, {});
    for (const std::string& endpoint : endpoints) {
        const auto known = std::ranges::find_if(before, [&](const auto& collector) {
            return collector && collector->endpoint() == endpoint;
        });
        all_.push_back(known != before.end() ? std::move(*known)
                                             : std::make_unique<Collector>(endpoint));
    }
}

void Collectors::send(std::span<const uint8_t> datagram, Nanos now) {
    for (const auto& collector : all_) collector->send(datagram, now);
}

void Collectors::report(EventSink& events) {
    for (const auto& collector : all_) {
        const std::optional<bool> reachable = collector->take_change();
        if (!reachable) continue;
        if (*reachable) {
            events.notice(kind_ + "_reachable", {},
                          fmt::format("{} collector {} gets its datagrams again", protocol_,
                                      collector->endpoint()));
        } else {
            events.warn(kind_ + "_unreachable", {},
                        fmt::format("{} collector {}: {}; what is lost is counted in `sluice show "
                                    "{}`",
                                    protocol_, collector->endpoint(), collector->why(), kind_));
        }
    }
}

}  // namespace sluice::control
