// Pause counters: the PFC frames that a NIC with a queue for each priority received and sent by
// itself (`pfc: {by: nic}`, lossless_queues.h). Its driver reports them as extended statistics
// (rte_eth_xstats) under the names in its row. What is counted depends on the device: XOFFs with
// Intel's NICs; every PFC frame of the class, XONs included, with cnxk.
//
// A driver without names in its row reports nothing, and so does a driver that lacks one of the
// names.
// Bound: the names are looked up once, after the start; reading is one call of the driver.
// Control's thread calls it.
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

    // Returns the counters since the device was started; nothing if the driver has none.
    [[nodiscard]] std::optional<PauseCountsOfPort> read() const;

  private:
    uint16_t ethdev_ = 0;
    bool available_ = false;
    // Ids of the counters of received pauses, then of sent pauses, by priority.
    std::array<uint64_t, std::size_t{2} * max_priorities> ids_{};
};

}  // namespace sluice::pmd::nic
