// Abilities: the capabilities of a port for lossless priorities and discovery. They are determined
// when the port is opened (pmd_glue/nic/). `sluice show` prints them; validation and DCBX use them
// (control/port_abilities.h).
//
// `software`: pause frames pass between the wire and the switch, which obeys them. `unproven`: the
// device was not tested, whatever the source of its driver suggests. `none`: something between the
// wire and the switch consumes pause frames. `hardware`: the device sends and obeys pauses by
// itself, with a queue for each priority (pfc/queue_backpressure.h), so no pause frame is needed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice {

enum class PauseAbility : uint8_t { software, unproven, none, hardware, last = hardware };

// Whether the switch receives LLDP of its neighbours, or an agent in the NIC's firmware consumes
// it.
enum class LldpReception : uint8_t { yes, swallowed, unknown, last = unknown };

struct Abilities {
    PauseAbility pfc_rx = PauseAbility::software;
    PauseAbility pfc_tx = PauseAbility::software;
    LldpReception lldp_rx = LldpReception::yes;

    friend bool operator==(const Abilities&, const Abilities&) = default;
};

constexpr std::string_view name_of(PauseAbility ability) {
    constexpr std::array<std::string_view, 4> names = {"software", "unproven", "none", "hardware"};
    static_assert(names.size() == count_of<PauseAbility>);
    return names[static_cast<std::size_t>(ability)];
}
constexpr std::string_view name_of(LldpReception reception) {
    constexpr std::array<std::string_view, 3> names = {"yes", "swallowed", "unknown"};
    static_assert(names.size() == count_of<LldpReception>);
    return names[static_cast<std::size_t>(reception)];
}

}  // namespace sluice
