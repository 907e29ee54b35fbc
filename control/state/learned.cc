#include "control/state/learned.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sluice::control {

namespace {

constexpr int64_t nanos_a_second = 1'000'000'000;
// Longest age that is restored; higher ages are reduced to this age. The FDB's epochs do not wrap
// within twice this time, four years.
constexpr int64_t oldest_s = int64_t{1} << 26;

SavedPlace place_of(const config::PortConfig& port) {
    if (port.aggregation.empty()) return {port.name, port.device};
    return {port.aggregation, {}};
}

std::optional<PortIndex> member_of(const SavedPlace& place,
                                   const config::Configuration& configuration) {
    if (!place.device.empty()) return port_at(place, configuration);
    const auto found =
        std::ranges::find(configuration.aggregations, place.name, &config::AggregationConfig::name);
    if (found == configuration.aggregations.end() || found->members == 0) return {};
    return first_of(found->members);
}

}  // namespace

std::optional<PortIndex> port_at(const SavedPlace& place,
                                 const config::Configuration& configuration) {
    const auto found = std::ranges::find_if(configuration.ports, [&](const auto& port) {
        return !port.vacant && port.name == place.name && port.device == place.device;
    });
    if (found == configuration.ports.end()) return {};
    return static_cast<PortIndex>(found - configuration.ports.begin());
}

void save_addresses(SavedState& state, const Fdb& fdb, const config::Configuration& configuration,
                    Nanos now) {
    std::map<std::tuple<PortIndex, FormatFamily, VlanId>, std::size_t> lists;
    std::size_t saved = 0;
    fdb.for_each([&](const FdbEntry& entry) {
        const config::PortConfig& port = configuration.ports[entry.port];
        const bool learned = entry.kind == EntryKind::learned && !port.vacant;
        if (!learned || !can_be_saved(entry.family, entry.vlan, entry.address)) return;
        if (saved == most_addresses) return;
        ++saved;
        const auto [list, is_new] =
            lists.try_emplace({entry.port, entry.family, entry.vlan}, state.fdb.size());
        if (is_new) {
            state.fdb.push_back({.place = state.place_of(place_of(port)),
                                 .family = entry.family,
                                 .vlan = entry.vlan,
                                 .addresses = {}});
        }
        const int64_t age = Fdb::age_of(entry.epoch, now).count() / nanos_a_second;
        const auto age_s = static_cast<uint32_t>(std::clamp<int64_t>(age, 0, oldest_s));
        state.fdb[list->second].addresses.push_back({entry.address, age_s});
    });
}

std::vector<RememberedAddress> addresses_to_restore(const SavedState& state,
                                                    const config::Configuration& configuration,
                                                    std::chrono::seconds passed) {
    std::vector<RememberedAddress> hold;
    for (const SavedAddresses& of : state.fdb) {
        const auto port = member_of(state.places[of.place], configuration);
        if (!port) continue;
        const auto& format = configuration.settings.ports[*port].format;
        if (format.family != of.family || !format.learns) continue;
        for (const auto& [address, age_s] : of.addresses) {
            const int64_t age =
                std::min(int64_t{age_s} + std::min(passed.count(), oldest_s), oldest_s);
            hold.push_back({.family = of.family,
                            .vlan = of.vlan,
                            .address = address,
                            .port = *port,
                            .age = Nanos(age * nanos_a_second)});
        }
    }
    return hold;
}

}  // namespace sluice::control
