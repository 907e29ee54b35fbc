#include "dataplane/forward/forwarding.h"

#include <algorithm>
#include <utility>

#include "dataplane/forward/flood.h"

namespace sluice {
namespace {

// Returns a page for each VLAN of ports with 16-bit ids, up to the limit: first the ports' default
// VLANs.
std::vector<DirectTable::Page> direct_pages(const Settings& settings) {
    std::vector<DirectTable::Page> pages;
    const auto add = [&](DirectTable::Page page) {
        const bool fits = pages.size() < DirectTable::most_pages;
        if (fits && std::ranges::find(pages, page) == pages.end()) pages.push_back(page);
    };
    for (const PortSettings& port : settings.ports) {
        if (has_short_ids(port.format.family)) add({port.format.family, port.default_vlan});
    }
    if (!settings.vlan.filtering) return pages;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        const FormatFamily family = settings.ports[port].format.family;
        if (!has_short_ids(family)) continue;
        for (VlanId vlan = 1; vlan < max_vlans; ++vlan) {
            if ((settings.vlan.members[vlan] & only(port)) != 0) add({family, vlan});
        }
    }
    return pages;
}

}  // namespace

// Returns a number, not 0, that is equal for equal static entries at equal bridge ports.
uint64_t Forwarding::fingerprint_of_static(const Settings& settings) const {
    uint64_t sum = 1;
    for (const StaticEntry& entry : settings.fdb.static_entries) {
        const FormatFamily family = settings.ports[entry.port].format.family;
        const Fdb::Key key = Fdb::key_of(family, entry.vlan, entry.address);
        sum = mixed(sum, static_cast<uint64_t>(key));
        sum = mixed(sum, shards_[0].aggregations_.bridge_port(entry.port));
    }
    return sum | 1;
}

Forwarding::Forwarding(const Settings& settings)
    : flow_seed_(settings.fdb.hash_seed),
      fdb_(settings.fdb.capacity, settings.fdb.hash_seed, direct_pages(settings)),
      multicast_(settings),
      shards_(settings.workers),
      neighbours_(settings.vlan.neigh_suppress.any() ? settings.fdb.capacity : 0,
                  settings.fdb.hash_seed) {
    for (PortIndex input = 0; input < settings.ports.size(); ++input) {
        for (PortIndex output = 0; output < settings.ports.size(); ++output) {
            const bool same =
                settings.ports[input].format.family == settings.ports[output].format.family;
            if (same) peers_[input] |= only(output);
        }
    }
    PortSet evpn_ports = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        if (settings.ports[port].evpn) evpn_ports |= only(port);
    }
    set_unflooded(evpn_ports);  // until control sets other ports
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        Shard& shard = shards_[worker];
        shard.all_ = this;
        shard.multicast_ = &multicast_.shard(worker);
        shard.refused_moves_ =
            std::make_unique<SingleProducerRing<RefusedMove, Shard::most_refused_moves>>();
        if (worker > 0) shard.to_worker_0_ = std::make_unique<SingleProducerRing<LearnEvent>>();
        shard.adopt(settings);
    }
}

Forwarding::~Forwarding() = default;

std::unique_ptr<Forwarding::Shard> Forwarding::observer(const Settings& settings) {
    auto observer = std::make_unique<Shard>();
    observer->all_ = this;
    observer->own_multicast_ = multicast_.observer();
    observer->multicast_ = observer->own_multicast_.get();
    observer->to_worker_0_ =
        std::make_unique<SingleProducerRing<LearnEvent>>();  // not emptied: nothing is learned
    observer->adopt(settings);
    return observer;
}

void Forwarding::Shard::adopt(const Settings& settings) {
    vlans_.configure(settings);
    mirrors_ = Mirrors(settings.mirrors);
    mtus_.configure(settings.ports, vlans_.edits_tags());
    ageing_ = settings.fdb.ageing;
    drops_when_full_ = settings.fdb.when_full == WhenFull::drop;
    PortSet isolated = 0;
    evpn_ports_ = sticky_ = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        if (settings.ports[port].isolated) isolated |= only(port);
        if (settings.ports[port].evpn) evpn_ports_ |= only(port);
        if (settings.ports[port].sticky) sticky_ |= only(port);
    }
    for (PortIndex port = 0; port < max_ports; ++port) {
        kept_apart_[port] = ((isolated & only(port)) != 0 ? isolated : 0) |
                            ((evpn_ports_ & only(port)) != 0 ? evpn_ports_ : 0);
    }
    keeping_ = settings.fdb.moves == Moves::refuse ? ~PortSet{0} : sticky_;
    const Aggregations before = std::exchange(aggregations_, Aggregations(settings.aggregations));
    const bool keeps_the_fdb = to_worker_0_ == nullptr;
    if (keeps_the_fdb) {
        all_->forget_regrouped(before, aggregations_);
        all_->has_adopted_ = true;
    }
    multicast_->adopt(settings, {vlans_, aggregations_});
    if (keeps_the_fdb) all_->adopt_static(settings);
}

// Does nothing if the static entries are unchanged: while entries are replaced, workers would miss
// them.
void Forwarding::adopt_static(const Settings& settings) {
    const uint64_t wanted = fingerprint_of_static(settings);
    if (std::exchange(static_seen_, wanted) == wanted) return;
    fdb_.forget_static();
    for (const StaticEntry& entry : settings.fdb.static_entries) {
        const FormatFamily family = settings.ports[entry.port].format.family;
        fdb_.add_static(Fdb::key_of(family, entry.vlan, entry.address),
                        shards_[0].aggregations_.bridge_port(entry.port));
    }
}

void Forwarding::forget_regrouped(const Aggregations& before, const Aggregations& now) {
    PortSet regrouped = 0;
    for (PortIndex port = 0; port < max_ports; ++port) {
        if (before.bridge_port(port) == now.bridge_port(port)) continue;
        fdb_.forget_port(before.bridge_port(port));
        fdb_.forget_port(now.bridge_port(port));
        regrouped |= only(before.bridge_port(port)) | only(now.bridge_port(port));
    }
    if (regrouped != 0) multicast_.forget_ports(regrouped);
}

Drop Forwarding::Shard::resolve_outputs(const Frame& frame, Fdb::PackedEntry destination,
                                        PortSet links, PortSet& outputs) const {
    outputs = flood_outputs(vlans_.members(frame.vlan), links, frame.input);
    if (destination) {
        if (destination.port() == frame.input) return Drop::same_port;
        outputs &= only(destination.port());
    } else {
        outputs &= ~all_->unflooded_.load(std::memory_order_relaxed);
    }
    return outputs == 0 ? Drop::no_output : Drop::none;
}

Drop Forwarding::Shard::refusal_of(const Frame& frame, Fdb::PackedEntry known) const {
    if (!known || known.port() == frame.input) return Drop::none;
    if (known.kind() == EntryKind::fixed) return Drop::static_source;
    return keeps(known, frame.input) ? Drop::moved_source : Drop::none;
}

Drop Forwarding::Shard::would_accept(const Frame& frame, const Fdb::Probe& source) const {
    if (const Drop why = enter(frame); why != Drop::none) return why;
    const Fdb::PackedEntry known = all_->fdb_.find_either(source);
    if (const Drop why = refusal_of(frame, known); why != Drop::none) return why;
    const bool finds_no_place =
        !known && learns(frame) && drops_when_full_ && !all_->fdb_.has_place(source);
    return finds_no_place ? Drop::fdb_full : Drop::none;
}

[[gnu::noinline]] Drop Forwarding::Shard::learn(const Frame& frame, const Fdb::Probe& source,
                                                Fdb::PackedEntry known, uint32_t epoch) {
    if (const Drop why = refusal_of(frame, known); why != Drop::none) {
        note_refusal({source.key, known.port(), frame.input, why == Drop::static_source}, epoch);
        return why;
    }
    const bool is_fixed = known && known.kind() == EntryKind::fixed;
    if (is_fixed || !learns(frame)) return Drop::none;
    bool has_place = true;
    if (to_worker_0_ == nullptr) {
        has_place = all_->fdb_.learn(source, frame.input, epoch);
    } else {
        has_place = known || all_->fdb_.has_place(source);
        to_worker_0_->push({source, frame.input, epoch});
    }
    return has_place || !drops_when_full_ ? Drop::none : Drop::fdb_full;
}

// Reports a refused move to control, once an epoch while the station continues to send.
void Forwarding::Shard::note_refusal(const RefusedMove& move, uint32_t epoch) {
    if (move == last_refused_ && epoch == refused_in_) return;
    if (!refused_moves_->push(move)) return;
    last_refused_ = move;
    refused_in_ = epoch;
}

std::optional<StormControlKind> Forwarding::Shard::storm_control_kind(
    const Fdb::Probe& destination) const {
    const MacAddress to = Fdb::address_of(destination.key);
    if (to == broadcast_address) return StormControlKind::broadcast;
    if (to.is_group()) return StormControlKind::multicast;
    if (all_->fdb_.find_either(destination)) return std::nullopt;
    return StormControlKind::unknown_unicast;
}

PortSet Forwarding::Shard::outputs_within_mtu(const Frame& frame, const TagForm* came,
                                              PortSet outputs) const {
    PortSet fitting = 0;
    for_each_port(outputs, [&](PortIndex output) {
        const TagEdit edit = came == nullptr ? TagEdit::none : tag_edit(frame, *came, output);
        const Bytes length = frame.size() + Bytes(octets_added(edit));
        if (mtus_.fits(length, output)) fitting |= only(output);
    });
    return fitting;
}

bool Forwarding::restore(const RememberedAddress& remembered, Nanos now) {
    const auto& [family, vlan, address, member, age] = remembered;
    const Shard& own = shards_[0];
    const PortIndex port = own.aggregations_.bridge_port(member);
    const bool never_ages = own.ageing_.count() == 0 || (own.sticky_ & only(port)) != 0;
    const bool belongs =
        own.vlans_.learns(vlan) && (own.vlans_.members(vlan) & ~own.evpn_ports_ & only(port)) != 0;
    if (!belongs || !(never_ages || age < own.ageing_)) return false;
    const Fdb::Probe probe = fdb_.probe_either(Fdb::key_of(family, vlan, address));
    if (fdb_.find_either(probe) || !fdb_.has_place(probe)) return false;
    return fdb_.learn(probe, port, Fdb::epoch_of(now - age));
}

// Learns a source that another worker saw. The entry may have changed since, so this checks again
// whether the source may move.
void Forwarding::learn_from(const LearnEvent& seen) {
    if (shards_[0].keeps(fdb_.find_either(seen.source), seen.port)) return;
    fdb_.learn(seen.source, seen.port, seen.epoch);
}

void Forwarding::carry_out(const KeyedOrder& order) {
    const Fdb::Probe probe = fdb_.probe_either(order.key);
    if (order.order.kind == RemoteOrder::Kind::bind) {
        fdb_.bind_remote(probe, order.order.port);
    } else {
        fdb_.forget(probe, order.order.kind == RemoteOrder::Kind::forget);
    }
}

// has_housekeeping_for must check for each kind of work that is added here.
void Forwarding::housekeep(PortSet ports, Nanos now) {
    const Shard& own = shards_[0];
    const PortSet links = own.aggregations_.bridge_ports(ports);
    PortSet flushed = 0;
    flush_orders_.take(
        [&](PortIndex port) { flushed |= only(own.aggregations_.bridge_port(port)); },
        [&](VlanId vlan) {
            fdb_.forget_vlan(vlan);
            multicast_.forget_vlan(vlan);
        });
    if (flushed != 0) multicast_.forget_ports(flushed);
    const PortSet lost = links_seen_ & ~links & ~own.sticky_;
    for_each_port(flushed | lost, [&](PortIndex port) { fdb_.forget_port(port); });
    ports_seen_ = ports;
    has_adopted_ = false;
    links_seen_ = links;
    for (const Shard& shard : shards_) {
        if (shard.to_worker_0_ == nullptr) continue;
        shard.to_worker_0_->take([&](const LearnEvent& seen) {
            if ((links & only(seen.port)) != 0) learn_from(seen);
        });
    }
    remote_orders_.take([&](const KeyedOrder& order) { carry_out(order); });
    if (fdb_.is_to_age(now)) fdb_.age(now, own.ageing_, own.sticky_);
    if (multicast_.has_housekeeping_for(links)) multicast_.housekeep(links, now);
}

}  // namespace sluice
