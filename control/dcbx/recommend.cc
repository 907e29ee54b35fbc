#include "control/dcbx/recommend.h"

#include <algorithm>
#include <numeric>

namespace sluice::dcbx {
namespace {

// A percent shared by 1 to 8 priorities is a whole number of these.
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
    const unsigned total = std::accumulate(parts.begin(), parts.end(), 0U);
    if (total == 0) return std::nullopt;
    PerClass percent;
    std::array<unsigned, traffic_classes> remainder;
    unsigned missing = 100;
    for (std::size_t index = 0; index < traffic_classes; ++index) {
        percent[index] = static_cast<uint8_t>(parts[index] * 100 / total);
        remainder[index] = parts[index] * 100 % total;
        missing -= percent[index];
    }
    for (; missing > 0; --missing) {
        const auto largest = std::ranges::max_element(remainder);
        ++percent[static_cast<std::size_t>(largest - remainder.begin())];
        *largest = 0;
    }
    return percent;
}

}  // namespace sluice::dcbx
