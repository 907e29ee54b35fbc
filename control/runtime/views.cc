// Copies the state and counters of devices and workers into the View that `show` prints.
#include <optional>
#include <vector>

#include "control/runtime/runtime.h"

namespace sluice::control {

namespace {

std::optional<XdpView> xdp_view(const std::optional<pmd::xdp::Report>& report) {
    if (!report) return std::nullopt;
    const auto& [native, zero_copy, reads_tags, counts, sockets] = *report;
    return XdpView{.native = native,
                   .zero_copy = zero_copy,
                   .priority = {counts.priority.begin(), counts.priority.end()},
                   .counters = {{"untagged", counts.untagged},
                                {"link_pause", counts.link_pause},
                                {"pfc_pause", counts.pfc_pause},
                                {"to_switch", counts.to_switch},
                                {"to_host", counts.to_host},
                                {"without_tag", counts.without_tag},
                                {"lost_by_kernel", sockets.lost()},
                                {"rx_dropped", sockets.rx_dropped},
                                {"rx_invalid_descs", sockets.rx_invalid_descs},
                                {"tx_invalid_descs", sockets.tx_invalid_descs},
                                {"rx_ring_full", sockets.rx_ring_full},
                                {"rx_fill_ring_empty_descs", sockets.rx_fill_ring_empty_descs},
                                {"tx_ring_empty_descs", sockets.tx_ring_empty_descs}}};
}

void add_pauses(const pmd::nic::PauseCountsOfPort& pauses, PortView& view) {
    for (const auto& [received, sent] : pauses) {
        view.device_pauses_received.push_back(received);
        view.device_pauses_sent.push_back(sent);
    }
}

}  // namespace

pmd::Link Runtime::link_of(PortIndex port) const {
    const pmd::TunnelEnd* const tunnel = ports_[port]->tunnel_end();
    if (tunnel == nullptr) return ports_[port]->link();
    const auto& underlay = ports_[tunnel->about.underlay];
    pmd::Link link;
    if (underlay) link = underlay->link();
    link.vanished = false;
    link.up = link.up && (tunnel->bundle != nullptr || tunnel->next_hop().bits != 0);
    return link;
}

std::vector<PortView> Runtime::port_views(const std::vector<pmd::Link>& links) const {
    std::vector<PortView> views;
    for (std::size_t port = 0; port < ports_.size(); ++port) {
        if (!ports_[port]) {
            views.push_back({.vacant = true});
            continue;
        }
        pmd::Port& device = *ports_[port];
        const pmd::DeviceStats stats = device.stats();
        const pmd::TunnelEnd* const tunnel = device.tunnel_end();
        const pmd::Port* const wire = tunnel ? ports_[tunnel->about.underlay].get() : &device;
        views.push_back({
            .name = device.name(),
            .device = device.device().text,
            .vanished = links[port].vanished,
            .link_speed = links[port].speed,
            .abilities = abilities_[port],
            .pauses_before = pauses_before_[port],
            .tx_descriptors = wire != nullptr ? wire->tx_descriptors() : 0,
            .pauses_overtake = device.has_pause_queue(),
            .device_counters = {{"missed", stats.missed},
                                {"receive_errors", stats.receive_errors},
                                {"transmit_errors", stats.transmit_errors},
                                {"no_buffer", stats.no_buffer},
                                {"checksums_finished", stats.offloads.checksums_finished},
                                {"segments_cut", stats.offloads.segments_cut},
                                {"frames_cut", stats.offloads.frames_cut},
                                {"segments_joined", stats.offloads.segments_joined},
                                {"frames_joined", stats.offloads.frames_joined}},
            .xdp = xdp_view(device.xdp_report()),
        });
        if (const auto pauses = device.device_pauses()) add_pauses(*pauses, views.back());
    }
    return views;
}

Bundle* Runtime::bundle(PortIndex port) const {
    const pmd::TunnelEnd* const tunnel = ports_[port] ? ports_[port]->tunnel_end() : nullptr;
    return tunnel != nullptr ? tunnel->bundle.get() : nullptr;
}

TunnelViews Runtime::tunnel_views() const {
    TunnelViews views;
    for (PortIndex port = 0; port < ports_.size(); ++port) {
        if (!ports_[port]) continue;
        if (const pmd::TunnelEnd* const tunnel = ports_[port]->tunnel_end()) {
            views.tunnels.push_back({.port = port,
                                     .underlay = tunnel->about.underlay,
                                     .encapsulation = tunnel->about.encapsulation,
                                     .encapsulated = tunnel->encapsulated.value(),
                                     .copied = tunnel->copied.value(),
                                     .decapsulated = tunnel->decapsulated.value(),
                                     .flooded = tunnel->flooded.value(),
                                     .unmapped = tunnel->unmapped.value(),
                                     .bundle = tunnel->bundle.get()});
        }
        if (const pmd::UnderlayEnd* const below = ports_[port]->underlay_end()) {
            UnderlayView& view = views.underlays.emplace_back();
            view = {.port = port,
                    .addresses = below->addresses,
                    .received = below->received.value(),
                    .dropped = below->dropped.value(),
                    .no_buffer = below->no_buffer.value(),
                    .cut_off = below->cut_off.value(),
                    .refused = {}};
            for (std::size_t why = 1; why < refusal_kinds; ++why) {
                view.refused.emplace_back(name_of(static_cast<Refusal>(why)),
                                          below->refused[why].value());
            }
        }
    }
    return views;
}

std::vector<WorkerView> Runtime::worker_views() const {
    std::vector<WorkerView> views;
    for (WorkerIndex worker = 0; worker < workers_->count(); ++worker) {
        const pmd::WorkerCounters& counters = workers_->counters(worker);
        const auto busy = static_cast<double>(counters.busy_ns.value());
        const double all = busy + static_cast<double>(counters.idle_ns.value());
        const uint64_t frames = counters.received.value();
        views.push_back({
            .core = cpus_[worker],
            .node = placement_.node_of_worker[worker],
            .polls = counters.polls.value(),
            .busy_polls = counters.busy_polls.value(),
            .frames = frames,
            .busy = counters.busy_ns.value(),
            .busy_share = all > 0 ? busy / all : 0,
            .nanos_a_frame = frames > 0 ? busy / static_cast<double>(frames) : 0,
            .longest_gap = counters.longest_gap_ns.value(),
        });
    }
    return views;
}

std::vector<const Counter*> Runtime::polls() const {
    std::vector<const Counter*> of_workers;
    for (WorkerIndex worker = 0; worker < workers_->count(); ++worker) {
        of_workers.push_back(&workers_->counters(worker).polls);
    }
    return of_workers;
}

}  // namespace sluice::control
