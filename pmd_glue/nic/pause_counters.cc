#include "pmd_glue/nic/pause_counters.h"

#include <rte_ethdev.h>

#include <string>

namespace sluice::pmd::nic {
namespace {

// Replaces `#` in `name` by the priority, whose traffic class has the same number.
std::string name_of(std::string_view name, Priority priority) {
    std::string text(name);
    text[text.find('#')] = static_cast<char>('0' + priority);
    return text;
}

}  // namespace

PauseCounters::PauseCounters(uint16_t ethdev, const DriverRow& row)
    : ethdev_(ethdev), available_(!row.pauses_received.empty()) {
    for (Priority priority = 0; available_ && priority < max_priorities; ++priority) {
        const std::string received = name_of(row.pauses_received, priority);
        const std::string sent = name_of(row.pauses_sent, priority);
        available_ =
            rte_eth_xstats_get_id_by_name(ethdev, received.c_str(), &ids_[priority]) == 0 &&
            rte_eth_xstats_get_id_by_name(ethdev, sent.c_str(), &ids_[max_priorities + priority]) ==
                0;
    }
}

std::optional<PauseCountsOfPort> PauseCounters::read() const {
    if (!available_) return std::nullopt;
    std::array<uint64_t, std::tuple_size_v<decltype(ids_)>> values{};
    const int count = rte_eth_xstats_get_by_id(ethdev_, ids_.data(), values.data(), values.size());
    if (count != static_cast<int>(values.size())) return std::nullopt;
    PauseCountsOfPort counts;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        counts[priority] = {.received = values[priority],
                            .sent = values[max_priorities + priority]};
    }
    return counts;
}

}  // namespace sluice::pmd::nic
