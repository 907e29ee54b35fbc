// Limits: bounds that are fixed at build time. Tables have their size at start and never grow.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace sluice {

using PortIndex = uint8_t;
// An input of the crossbar: a port, or a further lane of one (switch.h). Each port is the input of
// the same number, so a PortIndex converts to an InputIndex, but not an InputIndex to a PortIndex.
struct InputIndex {
    uint8_t number;

    InputIndex() = default;
    constexpr InputIndex(PortIndex port) : number(port) {}
    friend constexpr bool operator==(InputIndex, InputIndex) = default;
};
using WorkerIndex = uint8_t;
using Priority = uint8_t;  // 0-7, 802.1Q; 7 is served first under strict priority
using VlanId = uint16_t;   // 1-4094

// Without PFC in the build, the switch neither sends nor obeys pauses, and every priority is lossy.
#ifdef SLUICE_WITHOUT_PFC
inline constexpr bool with_pfc = false;
#else
inline constexpr bool with_pfc = true;
#endif

// A set of ports, or of priorities, is one machine word: bit n is member n.
using PortSet = uint64_t;
using InputSet = uint64_t;
using PrioritySet = uint8_t;

inline constexpr std::size_t max_ports = 64;
inline constexpr std::size_t max_priorities = 8;
inline constexpr std::size_t max_workers = 16;
inline constexpr std::size_t max_vlans = 4096;
inline constexpr std::size_t max_burst = 64;

static_assert(max_ports == sizeof(PortSet) * 8, "a set of ports is one word");
static_assert(max_priorities == sizeof(PrioritySet) * 8, "a set of priorities is one octet");

constexpr PortSet only(PortIndex port) {
    assert(port < max_ports);
    return PortSet{1} << port;
}
constexpr InputSet only(InputIndex input) { return only(PortIndex{input.number}); }
constexpr PrioritySet only_priority(Priority priority) {
    return static_cast<PrioritySet>(1U << priority);
}
// Returns the highest member of `set`, which is not empty.
constexpr Priority highest(PrioritySet set) {
    assert(set != 0);
    return static_cast<Priority>(std::bit_width(set) - 1);
}
constexpr PortSet first_ports(std::size_t count) {
    return count >= max_ports ? ~PortSet{0} : (PortSet{1} << count) - 1;
}

// Returns the lowest member of `ports`, which is not empty.
constexpr PortIndex first_of(PortSet ports) {
    assert(ports != 0);
    return static_cast<PortIndex>(std::countr_zero(ports));
}
// Visits the members from the lowest to the highest.
template <class Visit>
constexpr void for_each_port(PortSet ports, Visit visit) {
    for (; ports != 0; ports &= ports - 1) visit(first_of(ports));
}
template <class Visit>
constexpr void for_each_input(InputSet inputs, Visit visit) {
    for_each_port(inputs, [&](PortIndex number) { visit(InputIndex(number)); });
}
template <class Visit>
constexpr void for_each_priority(PrioritySet priorities, Visit visit) {
    for_each_port(priorities, [&](Priority priority) { visit(priority); });
}

}  // namespace sluice
