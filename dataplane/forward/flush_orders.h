// FlushOrders: passes orders to flush the FDB from control to worker 0: all learned entries, or
// those of a VLAN or a port. Control orders at any time. Worker 0 executes the orders at its next
// `housekeep`; equal orders until then count once.
// Bound: `take` costs one load if there is no order, else a visit of at most 4096 bits.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>

#include "dataplane/types/limits.h"

namespace sluice {

class FlushOrders {
  public:
    // --- control --------------------------------------------------------------------------------
    void all() { order(~PortSet{0}); }
    void port(PortIndex port) { order(only(port)); }
    void vlan(VlanId vlan) {
        assert(vlan < max_vlans);
        vlans_[vlan / 64U].fetch_or(uint64_t{1} << vlan % 64U, std::memory_order_relaxed);
        given_.store(true, std::memory_order_release);
    }

    // --- worker 0 -------------------------------------------------------------------------------
    [[nodiscard]] bool any() const { return given_.load(std::memory_order_relaxed); }
    // Calls `of_port` and `of_vlan` with each port and VLAN ordered since the last call.
    template <class OfPort, class OfVlan>
    void take(OfPort of_port, OfVlan of_vlan) {
        if (!any()) return;
        // The flag is cleared before the orders are read, so an order given during this call is
        // taken now or by the next call.
        given_.exchange(false, std::memory_order_acq_rel);
        for_each_port(ports_.exchange(0, std::memory_order_relaxed), of_port);
        for (std::size_t word = 0; word < vlans_.size(); ++word) {
            uint64_t vlans = vlans_[word].exchange(0, std::memory_order_relaxed);
            for (; vlans != 0; vlans &= vlans - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(vlans));
                of_vlan(static_cast<VlanId>(word * 64 + bit));
            }
        }
    }

  private:
    void order(PortSet ports) {
        ports_.fetch_or(ports, std::memory_order_relaxed);
        given_.store(true, std::memory_order_release);
    }

    std::atomic<bool> given_{false};
    std::atomic<PortSet> ports_{0};
    std::array<std::atomic<uint64_t>, max_vlans / 64> vlans_{};
};

}  // namespace sluice
