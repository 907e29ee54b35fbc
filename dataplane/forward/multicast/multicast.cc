#include "dataplane/forward/multicast/multicast.h"

#include <algorithm>

namespace sluice {

Multicast::Multicast(const Settings& settings) : memberships_(settings), shards_(settings.workers) {
    for (Shard& shard : shards_) {
        shard.multicast_ = this;
        shard.to_control_ =
            std::make_unique<SingleProducerRing<MembershipNews, Shard::most_news>>();
        if (&shard == &shards_.front()) continue;
        shard.to_worker_0_ = std::make_unique<SingleProducerRing<Notice>>();
    }
}

Multicast::~Multicast() = default;

std::unique_ptr<Multicast::Shard> Multicast::observer() {
    auto observer = std::make_unique<Shard>();
    observer->multicast_ = this;
    // No thread empties this queue, so the observer's reports have no effect.
    observer->to_worker_0_ = std::make_unique<SingleProducerRing<Notice>>();
    return observer;
}

void Multicast::Shard::adopt(const Settings& settings, const Bridge& bridge) {
    const MulticastSettings& multicast = settings.multicast;
    snooping_ = multicast.snooping;
    queried_ = multicast.queried;
    router_ports_ = bridge.aggregations.bridge_ports(multicast.router_ports);
    unregistered_ = multicast.unregistered;
    const bool listens =
        std::ranges::any_of(snooping_, [](GroupProtocols protocols) { return protocols != 0; });
    in_use_ = listens || !multicast.groups.empty();
    if (to_worker_0_ == nullptr) multicast_->memberships_.configure(settings, bridge);
}

Drop Multicast::Shard::filter(const Frame& frame, Key destination, Nanos now, PortSet& outputs) {
    const Memberships& memberships = multicast_->memberships_;
    const MacAddress group = Fdb::address_of(destination);
    const bool ethernet = static_cast<uint64_t>(destination) >> 60 == 0;
    const auto protocol = ethernet ? protocol_of(group) : std::nullopt;
    const bool listens = protocol && (snooping_[frame.vlan] & only_protocol(*protocol)) != 0;
    const PortSet routers = router_ports_ | memberships.routers(frame.vlan);
    if (listens) {
        Drop why = Drop::none;
        if (snoop(frame, now, routers, outputs, why)) return why;
        if (goes_to_all(group)) return Drop::none;
    }
    if (const auto ports = memberships.groups().find(destination)) {
        outputs &= *ports | routers;
    } else if (listens && unregistered_ == Unregistered::router_ports) {
        outputs &= routers;
    }
    return outputs == 0 ? Drop::no_listener : Drop::none;
}

bool Multicast::Shard::snoop(const Frame& frame, Nanos now, PortSet routers, PortSet& outputs,
                             Drop& why) {
    using Kind = MembershipMessage::Kind;
    if (frame.network_offset == 0) return false;
    const std::span<const uint8_t> octets(frame.data, frame.length);
    const MembershipMessage message = read_membership(octets.subspan(frame.network_offset));
    if (message.kind == Kind::none) return false;
    if ((snooping_[frame.vlan] & only_protocol(message.protocol)) == 0) return false;
    if (message.kind == Kind::damaged) why = Drop::membership_damaged;
    if (message.from_router) {
        note({Fdb::key_of(frame.vlan, {}), now, frame.input, ReportKind::routes});
    }
    if (queried_[frame.vlan]) [[unlikely]]
        tell_control(message, frame);
    if (message.kind != Kind::report) return true;
    message.for_each_change([&](const MembershipChange& change) {
        note_change(change, message.lasting,
                    {Fdb::key_of(frame.vlan, change.group), now, frame.input, ReportKind::joins});
    });
    outputs &= routers;
    if (outputs == 0) why = Drop::no_listener;
    return true;
}

// Posts to control the queries of other queriers, and leaves. A shard of the packet tracer posts
// none.
void Multicast::Shard::tell_control(const MembershipMessage& message, const Frame& frame) {
    using Kind = MembershipMessage::Kind;
    using Says = MembershipChange::Says;
    if (to_control_ == nullptr) return;
    const auto tell = [&](MembershipNews::Kind kind, const GroupSource& address) {
        const MembershipNews news{.address = address,
                                  .interval_s = message.interval_s,
                                  .vlan = frame.vlan,
                                  .port = frame.input,
                                  .kind = kind,
                                  .protocol = message.protocol};
        if (!to_control_->push(news)) lost_reports_.add(1);
    };
    if (message.kind == Kind::query && message.from_router) {
        tell(MembershipNews::Kind::query, message.sender);
    }
    if (message.kind != Kind::report) return;
    message.for_each_change([&](const MembershipChange& change) {
        const bool leaves = change.says == Says::leaves || change.says == Says::narrows ||
                            change.says == Says::blocks;
        if (leaves) tell(MembershipNews::Kind::leave, read_source(change.address));
    });
}

// A record with more than `most_sources` sources counts as wanting all sources. Of a record that
// blocks sources, only the first four times `most_sources` are applied; the other sources age.
void Multicast::Shard::note_change(const MembershipChange& change, bool lasting, Notice notice) {
    using Says = MembershipChange::Says;
    const bool many = change.source_count() > Memberships::most_sources;
    if (change.says == Says::joins || (many && change.says != Says::blocks)) {
        notice.kind = lasting ? ReportKind::joins_lasting : ReportKind::joins;
        return note(notice);
    }
    if (change.says == Says::leaves || change.says == Says::narrows) {
        notice.kind = change.says == Says::leaves ? ReportKind::leaves : ReportKind::narrows;
        note(notice);
    }
    notice.kind = change.says == Says::blocks ? ReportKind::blocks : ReportKind::wants;
    std::size_t left = 4 * Memberships::most_sources;
    change.for_each_source([&](const GroupSource& source) {
        if (left == 0) return;
        --left;
        notice.source = source;
        note(notice);
    });
}

void Multicast::Shard::note(const Notice& notice) {
    if (to_worker_0_ == nullptr) return multicast_->keep(notice);
    if (!to_worker_0_->push(notice)) lost_reports_.add(1);
}

void Multicast::keep(const Notice& notice) {
    switch (notice.kind) {
        case ReportKind::joins:
        case ReportKind::joins_lasting:
            return memberships_.join(notice.group, notice.port,
                                     notice.kind == ReportKind::joins_lasting, notice.at);
        case ReportKind::leaves:
            return memberships_.leave(notice.group, notice.port, notice.at);
        case ReportKind::wants:
            return memberships_.want(notice.group, notice.source, notice.port, notice.at);
        case ReportKind::narrows:
            return memberships_.narrow(notice.group, notice.port, notice.at);
        case ReportKind::blocks:
            return memberships_.block(notice.group, notice.source, notice.port, notice.at);
        case ReportKind::routes:
            const auto vlan = static_cast<uint64_t>(notice.group) >> 48;
            return memberships_.note_router(static_cast<VlanId>(vlan), notice.port, notice.at);
    }
}

void Multicast::housekeep(PortSet links, Nanos now) {
    if (const PortSet lost = links_seen_ & ~links; lost != 0) memberships_.forget_ports(lost);
    links_seen_ = links;
    for (const Shard& shard : shards_) {
        if (shard.to_worker_0_ == nullptr) continue;
        shard.to_worker_0_->take([&](const Notice& notice) {
            if ((links & only(notice.port)) != 0) keep(notice);
        });
    }
    memberships_.age(now);
}

uint64_t Multicast::lost_reports() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.lost_reports_.value();
    return sum;
}

}  // namespace sluice
