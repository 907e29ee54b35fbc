// Pause counters: the PFC frames that a NIC with a queue for each priority took in and sent by
// itself (`pfc: {by: nic}`, lossless_queues.h), as its driver reports them by extended statistics
// (rte_eth_xstats) under the names of its row. What is counted depends on the device: XOFFs with
// Intel's NICs; every PFC frame of the class, XONs included, with cnxk.
//
// A driver without names in its row reports nothing, and so does a driver that lacks one of the
// names.
// Bound: the names are looked up once, after the start; a reading is one call of the driver. Called
// by control's thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dataplane/types/limits.h"
#include "pmd_glue/nic/driver_table.h"

namespace sluice::pmd::nic {

struct PauseCounts {
    uint64_t received = 0;
    uint64_t sent = 0;
};
using PauseCountsOfPort = std::array<PauseCounts, max_priorities>;

class PauseCounters {
  public:
    PauseCounters() = default;  // reads nothing
    PauseCounters(uint16_t ethdev, const DriverRow& row);

    // Since the device counts.
    [[nodiscard]] std::optional<PauseCountsOfPort> read() const;

  private:
    uint16_t ethdev_ = 0;
    bool available_ = false;
    // Counters of pauses received, then of those sent, by priority.
    std::array<uint64_t, std::size_t{2} * max_priorities> ids_{};
};

}  // namespace sluice::pmd::nic
