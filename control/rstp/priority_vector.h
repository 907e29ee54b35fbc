// PriorityVector: the values that bridges compare to build one tree (802.1D-2004 17.5 and 17.6);
// the lower vector is better. Times: the timer values that travel with the vector from the root
// (17.13).
#pragma once

#include <compare>
#include <cstdint>

#include "dataplane/types/address.h"
#include "dataplane/types/units.h"

namespace sluice::rstp {

inline constexpr Nanos one_second{1'000'000'000};

// Bridge Identifier: four bits of priority, twelve of the system ID extension (0 in RSTP), and the
// bridge's address.
struct BridgeId {
    uint64_t bits = 0;

    friend constexpr auto operator<=>(BridgeId, BridgeId) = default;
    [[nodiscard]] constexpr uint16_t priority() const { return static_cast<uint16_t>(bits >> 48); }
    [[nodiscard]] constexpr MacAddress address() const {
        return {bits & ((uint64_t{1} << 48) - 1)};
    }
};
constexpr BridgeId bridge_id(uint16_t priority, MacAddress address) {
    return {uint64_t{priority} << 48 | address.bits};
}

// Port Identifier: four bits of priority, and the port's number from 1.
struct PortId {
    static constexpr uint16_t number_mask = 0x0FFF;
    uint16_t bits = 0;

    friend constexpr auto operator<=>(PortId, PortId) = default;
    [[nodiscard]] constexpr uint8_t priority() const {
        return static_cast<uint8_t>(bits >> 8 & 0xF0);
    }
    [[nodiscard]] constexpr uint16_t number() const { return bits & number_mask; }
};
constexpr PortId port_id(uint8_t priority, uint16_t number) {
    return {static_cast<uint16_t>((priority & 0xF0) << 8 | number)};
}

struct PriorityVector {
    BridgeId root;
    uint32_t cost = 0;  // of the path to the root
    BridgeId bridge;    // designated bridge
    PortId port;        // designated port

    friend constexpr auto operator<=>(const PriorityVector&, const PriorityVector&) = default;
};

// Whether `a` and `b` identify the same designated port. The priorities of the port and of its
// bridge are ignored.
constexpr bool same_designated_port(const PriorityVector& a, const PriorityVector& b) {
    return a.bridge.address() == b.bridge.address() && a.port.number() == b.port.number();
}

struct Times {
    Nanos message_age;
    Nanos max_age{20'000'000'000};
    Nanos hello{2'000'000'000};
    Nanos forward_delay{15'000'000'000};

    friend constexpr bool operator==(const Times&, const Times&) = default;
};

}  // namespace sluice::rstp
