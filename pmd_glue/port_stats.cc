// Port statistics: frames that a port's device counted and the switch did not see.
#include <rte_ethdev.h>

#include "pmd_glue/port.h"

namespace sluice::pmd {

DeviceStats Port::stats() {
    DeviceStats stats;
    if (tunnel_ != nullptr) return stats;
    rte_eth_stats seen{};
    if (memif_) {
        const memif::Interface::Counts counts = memif_->counts();
        stats.receive_errors = counts.bad;
    } else if (packet_) {
        const packet::Interface::Counts counts = packet_->counts();
        stats.missed = counts.missed;
        stats.receive_errors = counts.unusable;
        stats.transmit_errors = counts.refused;
        stats.offloads = counts.offloads;
    } else if (rte_eth_stats_get(ethdev_, &seen) == 0) {
        stats.missed = seen.imissed;
        stats.receive_errors = seen.ierrors;
        stats.transmit_errors = seen.oerrors;
        stats.no_buffer = seen.rx_nombuf;
    }
    if (guest_) {
        const vhost::Guest::Counts counts = guest_->counts();
        stats.receive_errors += counts.unusable;
        stats.offloads = counts.offloads;
    }
    for (uint16_t lane = 0; lane < lane_count_; ++lane) {
        stats.offloads.checksums_finished += lanes_[lane].checksums_finished.value();
    }
    add_xdp_stats(stats);
    return stats;
}

// The driver reports only some of these counters, and counts refused frames as errors.
void Port::add_xdp_stats(DeviceStats& stats) const {
    const auto report = xdp_report();
    if (!report) return;
    stats.missed = report->sockets.lost();
    stats.receive_errors += report->sockets.rx_invalid_descs + report->counts.without_tag;
    stats.transmit_errors = report->sockets.tx_invalid_descs;
}

std::optional<nic::PauseCountsOfPort> Port::device_pauses() const {
    if (vanished_.load(std::memory_order_relaxed)) return std::nullopt;
    return pause_counters_.read();
}

std::optional<xdp::Report> Port::xdp_report() const {
    return xdp_ ? std::optional(xdp_->report()) : std::nullopt;
}

}  // namespace sluice::pmd
