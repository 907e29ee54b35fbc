// Sink: counts the frames that a host received, and checks that each flow is complete and in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dataplane/types/limits.h"
#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

class Sink {
  public:
    void take(const Packet& packet) {
        uint64_t& next = next_[packet.flow];
        if (packet.serial < next) ++disordered_;
        if (packet.serial > next) missing_ += packet.serial - next;
        next = std::max(next, packet.serial + 1);
        ++received_[packet.priority];
    }

    [[nodiscard]] uint64_t received(Priority priority) const { return received_[priority]; }
    // Returns how many frames had not arrived when a later frame of their flow did.
    [[nodiscard]] uint64_t missing() const { return missing_; }
    [[nodiscard]] uint64_t disordered() const { return disordered_; }

  private:
    FlowTable<uint64_t> next_;  // next expected serial, by flow
    uint64_t missing_ = 0;
    uint64_t disordered_ = 0;
    std::array<uint64_t, max_priorities> received_{};
};

}  // namespace sluice::sim
