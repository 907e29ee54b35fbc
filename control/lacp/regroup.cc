#include "control/lacp/regroup.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace sluice::lacp {

namespace {

using Members = std::vector<Aggregator::Member>;

struct Kinship {
    std::size_t before = 0;
    std::size_t next = 0;
    int shared = 0;  // number of shared ports
};

// Removes from `before` the ports that will be in another aggregation, or in none.
Members take_leavers(std::span<Aggregator> before, std::span<const Wanted> next,
                     const Predecessors& was) {
    Members leavers;
    for (std::size_t index = 0; index < before.size(); ++index) {
        const auto heir = std::ranges::find(was, std::optional(index));
        const PortSet stay =
            heir == was.end() ? 0 : next[static_cast<std::size_t>(heir - was.begin())].ports;
        for_each_port(before[index].ports() & ~stay,
                      [&](PortIndex port) { leavers.push_back(before[index].remove(port)); });
    }
    return leavers;
}

// Returns a key for an aggregation. Each aggregation of a system has its own key, and 0 is no key
// (802.1AX-2014 6.3.5). The key is the number of the lowest port, or the next free number.
uint16_t take_key(PortSet ports, std::set<uint16_t>& taken) {
    auto key = static_cast<uint16_t>(first_of(ports) + 1);
    while (!taken.insert(key).second) ++key;
    return key;
}

}  // namespace

Predecessors predecessors(std::span<const Aggregator> before, std::span<const Wanted> next) {
    std::vector<Kinship> kin;
    for (std::size_t was = 0; was < before.size(); ++was) {
        for (std::size_t is = 0; is < next.size(); ++is) {
            const int shared = std::popcount(before[was].ports() & next[is].ports);
            if (shared > 0) kin.push_back({was, is, shared});
        }
    }
    std::ranges::stable_sort(kin, std::ranges::greater(), &Kinship::shared);
    Predecessors found(next.size());
    for (const Kinship& pair : kin) {
        const bool is_taken = std::ranges::find(found, std::optional(pair.before)) != found.end();
        if (!found[pair.next] && !is_taken) found[pair.next] = pair.before;
    }
    return found;
}

Regrouped regroup(std::vector<Aggregator> before, std::span<const Wanted> next,
                  std::span<const MacAddress> addresses) {
    const Predecessors was = predecessors(before, next);
    Regrouped now{.gone = take_leavers(before, next, was)};
    std::set<uint16_t> keys;
    for (const std::optional<std::size_t>& kept : was) {
        if (kept) keys.insert(before[*kept].settings().key);
    }
    for (std::size_t index = 0; index < next.size(); ++index) {
        const Wanted& wanted = next[index];
        AggregatorSettings settings = wanted.settings;
        settings.key =
            was[index] ? before[*was[index]].settings().key : take_key(wanted.ports, keys);
        Aggregator& made = now.aggregators.emplace_back(was[index] ? std::move(before[*was[index]])
                                                                   : Aggregator(settings, 0, {}));
        made.configure(settings);
        for_each_port(wanted.ports & ~made.ports(), [&](PortIndex port) {
            const auto known = std::ranges::find(now.gone, port, &Aggregator::Member::number);
            if (known != now.gone.end()) {
                made.add(std::move(*known));
                now.gone.erase(known);
            } else {
                made.add(port, addresses[port]);
                now.begun |= only(port);
            }
        });
    }
    return now;
}

}  // namespace sluice::lacp
