#include "dataplane/forward/forwarding.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "dataplane/forward/flood.h"

namespace sluice {
namespace {

// One for each VLAN that ports with 16-bit ids name, as far as pages go: the ports' own first.
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
        const Family family = settings.ports[port].format.family;
        if (!has_short_ids(family)) continue;
        for (VlanId vlan = 1; vlan < max_vlans; ++vlan) {
            if ((settings.vlan.members[vlan] & only(port)) != 0) add({family, vlan});
        }
    }
    return pages;
}

}  // namespace

// The same for the same static entries at the same bridge ports; never 0.
uint64_t Forwarding::fingerprint_of_static(const Settings& settings) const {
    uint64_t sum = 1;
    for (const StaticEntry& entry : settings.fdb.static_entries) {
        const Family family = settings.ports[entry.port].format.family;
        const Fdb::Key key = Fdb::key_of(family, entry.vlan, entry.address);
        sum = mixed(sum, static_cast<uint64_t>(key));
        sum = mixed(sum, views_[0].aggregations.bridge_port(entry.port));
    }
    return sum | 1;
}

Forwarding::Forwarding(const Settings& settings)
    : flow_seed_(settings.fdb.hash_seed),
      fdb_(settings.fdb.capacity, settings.fdb.hash_seed, direct_pages(settings)),
      views_(settings.workers),
      multicast_(settings) {
    for (PortIndex input = 0; input < settings.ports.size(); ++input) {
        for (PortIndex output = 0; output < settings.ports.size(); ++output) {
            const bool same =
                settings.ports[input].format.family == settings.ports[output].format.family;
            if (same) peers_[input] |= only(output);
        }
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) adopt(worker, settings);
    for (WorkerIndex worker = 1; worker < settings.workers; ++worker) {
        sightings_.push_back(std::make_unique<WorkerQueue<Sighting>>());
    }
}

void Forwarding::adopt(WorkerIndex worker, const Settings& settings) {
    View& view = views_[worker];
    view.vlans.configure(settings);
    view.mirrors = Mirrors(settings.mirrors);
    view.longest_frames.configure(settings.ports, view.vlans.edits_tags());
    view.ageing = settings.fdb.ageing;
    view.drops_when_full = settings.fdb.when_full == WhenFull::drop;
    view.isolated = view.sticky = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        if (settings.ports[port].isolated) view.isolated |= only(port);
        if (settings.ports[port].sticky) view.sticky |= only(port);
    }
    view.keeping = settings.fdb.moves == Moves::refuse ? ~PortSet{0} : view.sticky;
    Aggregations& aggregations = views_[worker].aggregations;
    const Aggregations before = std::exchange(aggregations, Aggregations(settings.aggregations));
    if (worker == 0) forget_regrouped(before, aggregations);
    multicast_.adopt(worker, settings, {views_[worker].vlans, aggregations});
    if (worker != 0) return;
    // What stays as it is must not be gone for an instant: others look it up meanwhile.
    const uint64_t wanted = fingerprint_of_static(settings);
    if (std::exchange(static_seen_, wanted) == wanted) return;
    fdb_.forget_static();
    for (const StaticEntry& entry : settings.fdb.static_entries) {
        const Family family = settings.ports[entry.port].format.family;
        fdb_.add_static(Fdb::key_of(family, entry.vlan, entry.address),
                        aggregations.bridge_port(entry.port));
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

Drop Forwarding::lead(WorkerIndex worker, const Frame& frame, Fdb::Binding destination,
                      PortSet links, PortSet& outputs) const {
    outputs = flood_outputs(views_[worker].vlans.members(frame.vlan), links, frame.input);
    if (destination) {
        if (destination.port() == frame.input) return Drop::same_port;
        outputs &= only(destination.port());
    }
    return outputs == 0 ? Drop::no_output : Drop::none;
}

[[gnu::noinline]] Drop Forwarding::learn(WorkerIndex worker, const Frame& frame,
                                         const Fdb::Probe& source, Fdb::Binding known,
                                         uint32_t epoch) {
    if (known && known.kind() == EntryKind::fixed) {
        return known.port() == frame.input ? Drop::none : Drop::static_source;
    }
    const View& view = views_[worker];
    if (view.keeps(known, frame.input)) return Drop::moved_source;
    if (!view.vlans.learns(frame.vlan)) return Drop::none;
    bool has_place = true;
    if (worker == 0) {
        has_place = fdb_.learn(source, frame.input, epoch);
    } else {
        has_place = known || fdb_.has_place(source);
        sightings_[worker - 1U]->push({source, frame.input, epoch});
    }
    return has_place || !view.drops_when_full ? Drop::none : Drop::fdb_full;
}

// What it is bound to may have changed since another worker looked.
void Forwarding::take_in(const Sighting& seen) {
    if (views_[0].keeps(fdb_.find_either(seen.source), seen.port)) return;
    fdb_.learn(seen.source, seen.port, seen.epoch);
}

void Forwarding::tend(PortSet ports, Nanos now) {
    const Aggregations& aggregations = views_[0].aggregations;
    const PortSet links = aggregations.bridge_ports(ports);
    PortSet flushed = 0;
    flush_orders_.take([&](PortIndex port) { flushed |= only(aggregations.bridge_port(port)); },
                       [&](VlanId vlan) {
                           fdb_.forget_vlan(vlan);
                           multicast_.forget_vlan(vlan);
                       });
    if (flushed != 0) multicast_.forget_ports(flushed);
    const PortSet sticky = views_[0].sticky;
    const PortSet lost = links_seen_ & ~links & ~sticky;
    for_each_port(flushed | lost, [&](PortIndex port) { fdb_.forget_port(port); });
    links_seen_ = links;
    for (const auto& queue : sightings_) {
        queue->take([&](const Sighting& seen) {
            if ((links & only(seen.port)) != 0) take_in(seen);
        });
    }
    fdb_.age(now, views_[0].ageing, sticky);
    multicast_.tend(links, now);
}

}  // namespace sluice
