#include "dataplane/forward/multicast/multicast.h"

#include <algorithm>

namespace sluice {

Multicast::Multicast(const Settings& settings) : memberships_(settings), views_(settings.workers) {
    for (WorkerIndex worker = 1; worker < settings.workers; ++worker) {
        queues_.push_back(std::make_unique<WorkerQueue<Notice>>());
    }
}

void Multicast::adopt(WorkerIndex worker, const Settings& settings, const Bridge& bridge) {
    const MulticastSettings& multicast = settings.multicast;
    View& view = views_[worker];
    view.heard = multicast.heard;
    view.router_ports = bridge.aggregations.bridge_ports(multicast.router_ports);
    view.unregistered = multicast.unregistered;
    const bool listens =
        std::ranges::any_of(view.heard, [](GroupProtocols protocols) { return protocols != 0; });
    view.in_use = listens || !multicast.groups.empty();
    if (worker == 0) memberships_.configure(settings, bridge);
}

Drop Multicast::narrow(WorkerIndex worker, const Frame& frame, Key destination, Nanos now,
                       PortSet& outputs) {
    const View& view = views_[worker];
    const MacAddress group = Fdb::address_of(destination);
    const bool ethernet = static_cast<uint64_t>(destination) >> 60 == 0;
    const auto protocol = ethernet ? protocol_of(group) : std::nullopt;
    const bool listens = protocol && (view.heard[frame.vlan] & only_protocol(*protocol)) != 0;
    const PortSet routers = view.router_ports | memberships_.routers(frame.vlan);
    if (listens) {
        Drop why = Drop::none;
        if (hear(worker, frame, now, routers, outputs, why)) return why;
        if (goes_to_all(group)) return Drop::none;
    }
    if (const auto ports = memberships_.groups().find(destination)) {
        outputs &= *ports | routers;
    } else if (listens && view.unregistered == Unregistered::router_ports) {
        outputs &= routers;
    }
    return outputs == 0 ? Drop::no_listener : Drop::none;
}

bool Multicast::hear(WorkerIndex worker, const Frame& frame, Nanos now, PortSet routers,
                     PortSet& outputs, Drop& why) {
    using Kind = MembershipMessage::Kind;
    if (frame.network_offset == 0) return false;
    const std::span<const uint8_t> octets(frame.data, frame.length);
    const MembershipMessage message = read_membership(octets.subspan(frame.network_offset));
    if (message.kind == Kind::none) return false;
    if ((views_[worker].heard[frame.vlan] & only_protocol(message.protocol)) == 0) return false;
    if (message.kind == Kind::damaged) why = Drop::membership_damaged;
    if (message.kind == Kind::query && message.from_router) {
        note(worker, {Fdb::key_of(frame.vlan, {}), now, frame.input, Said::routes});
    }
    if (message.kind != Kind::report) return true;
    message.for_each_change([&](const MembershipChange& change) {
        const Said joins = message.lasting ? Said::joins_lasting : Said::joins;
        note(worker, {Fdb::key_of(frame.vlan, change.group), now, frame.input,
                      change.joins ? joins : Said::leaves});
    });
    outputs &= routers;
    if (outputs == 0) why = Drop::no_listener;
    return true;
}

void Multicast::note(WorkerIndex worker, const Notice& notice) {
    if (worker == 0) return keep(notice);
    if (!queues_[worker - 1U]->push(notice)) views_[worker].unheard.add(1);
}

void Multicast::keep(const Notice& notice) {
    switch (notice.said) {
        case Said::joins:
        case Said::joins_lasting:
            return memberships_.join(notice.group, notice.port, notice.said == Said::joins_lasting,
                                     notice.at);
        case Said::leaves:
            return memberships_.leave(notice.group, notice.port, notice.at);
        case Said::routes:
            const auto vlan = static_cast<uint64_t>(notice.group) >> 48;
            return memberships_.hear_router(static_cast<VlanId>(vlan), notice.port, notice.at);
    }
}

void Multicast::tend(PortSet links, Nanos now) {
    if (const PortSet lost = links_seen_ & ~links; lost != 0) memberships_.forget_ports(lost);
    links_seen_ = links;
    for (const auto& queue : queues_) {
        queue->take([&](const Notice& notice) {
            if ((links & only(notice.port)) != 0) keep(notice);
        });
    }
    memberships_.age(now);
}

uint64_t Multicast::unheard() const {
    uint64_t sum = 0;
    for (const View& view : views_) sum += view.unheard.value();
    return sum;
}

}  // namespace sluice
