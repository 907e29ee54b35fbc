#include "control/watch/rate_watch.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace sluice::control {

void RateWatch::tick(Nanos now) {
    const Switch& dataplane = dataplane_;
    std::vector<PortReading> readings;
    for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
        const auto sum = [&](Counter PortCounters::*of) {
            return dataplane.sum_of_lanes(
                port, [&](InputIndex lane) { return (dataplane.counters(lane).*of).value(); });
        };
        const PortCounters& sent = dataplane.counters(port);
        readings.push_back({sum(&PortCounters::rx_frames), sum(&PortCounters::rx_bytes),
                            sent.tx_frames.value(), sent.tx_bytes.value()});
    }
    rates_.take(readings, now);
    remember(now);
}

// The pause times are shares of the last second, for the priority that was paused longest.
void RateWatch::remember(Nanos now) {
    const Switch& dataplane = dataplane_;
    std::vector<PortHistory::Port> ports;
    for (PortIndex port = 0; port < rates_.rates().size(); ++port) {
        if (publisher_.running().ports[port].vacant) continue;
        const auto share_of = [&](const auto& history_of) {
            Nanos longest;
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                longest = std::max(longest, history_of(priority).last_second(now));
            }
            return static_cast<double>(longest.count()) / 1e9;
        };
        const Egress& egress = dataplane.egress(port);
        const bool by_queue = publisher_.effective().ports[port].pfc.by == PfcBy::queues;
        PortHistory::Port& known = ports.emplace_back(publisher_.running().ports[port].name);
        const std::optional<PortRate>& rate = rates_.rates()[port];
        if (!rate) continue;
        known.second = {
            .rx_bps = rate->rx_bytes * 8,
            .tx_bps = rate->tx_bytes * 8,
            .paused = share_of([&](Priority priority) -> const TimeHistory& {
                return by_queue ? egress.queue_backpressure().history(priority)
                                : egress.gate().history(priority);
            }),
            .pausing = share_of([&](Priority priority) -> const TimeHistory& {
                return dataplane.ingress(port).pause_sender().history(priority);
            }),
        };
    }
    history_.take(ports);
}

}  // namespace sluice::control
