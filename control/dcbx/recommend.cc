#include "control/dcbx/recommend.h"

#include <algorithm>

#include "control/dcbx/percent.h"

namespace sluice::dcbx {
namespace {

// Parts of a percent: a number that 1 to 8 priorities can share without a remainder.
constexpr unsigned parts_of_a_percent = 840;

bool shares(const Ets& ets, std::size_t priority) {
    return ets.selection[ets.class_of[priority]] == Selection::ets;
}

}  // namespace

std::optional<PerClass> recommended_bandwidth(const Ets& local, const Ets& peer) {
    std::array<unsigned, traffic_classes> parts{};
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        if (!shares(local, priority) || !shares(peer, priority)) continue;
        const uint8_t number = local.class_of[priority];
        const auto members = static_cast<unsigned>(std::ranges::count(local.class_of, number));
        parts[peer.class_of[priority]] += local.bandwidth[number] * parts_of_a_percent / members;
    }
    return in_percent(parts);
}

}  // namespace sluice::dcbx
