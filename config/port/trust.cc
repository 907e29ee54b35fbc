#include "config/port/trust.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/port/profiles.h"

namespace sluice::config {

namespace {

// Returns the source for an index of the names of sources in the schema.
PrioritySource source_named(int64_t choice) {
    constexpr std::array sources = {PrioritySource::pcp, PrioritySource::dscp,
                                    PrioritySource::traffic_class, PrioritySource::roce,
                                    PrioritySource::application};
    static_assert(sources.size() == priority_sources);
    return sources[static_cast<std::size_t>(choice)];
}

}  // namespace

std::array<PrioritySource, priority_sources> trusted_sources(const Value& port) {
    if (!port["trust"].written) {
        return classify_profiles[static_cast<std::size_t>(port["profile"].number)].order;
    }
    std::array<PrioritySource, priority_sources> order;
    order.fill(PrioritySource::none);
    const std::vector<Value>& trusted = port["trust"].items;
    for (std::size_t index = 0; index < trusted.size(); ++index) {
        order[index] = source_named(trusted[index].number);
    }
    return order;
}

}  // namespace sluice::config
