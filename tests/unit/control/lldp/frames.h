// Frames of LLDP for tests: a neighbour, and what it says, in octets.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "control/lldp/agent.h"
#include "tests/support/octets.h"

namespace sluice::lldp {

inline constexpr MacAddress peer{0x02000000AA01};

inline Octets named(ChassisIdSubtype kind, std::string_view name) {
    Octets id(1 + name.size(), static_cast<uint8_t>(kind));
    std::ranges::copy(name, id.begin() + 1);
    return id;
}
inline Octets named(PortIdSubtype kind, std::string_view name) {
    return named(static_cast<ChassisIdSubtype>(kind), name);
}

inline Lldpdu lldpdu_of(std::string_view chassis, std::string_view port = "1", uint16_t ttl = 120) {
    return {.chassis_id = named(ChassisIdSubtype::local, chassis),
            .port_id = named(PortIdSubtype::interface_name, port),
            .ttl = ttl};
}

// `behind_addresses`: tags and EtherType.
inline Octets frame_with(const Octets& payload, std::string_view behind_addresses = "88CC") {
    Octets frame = test::hex("0180C200000E 02000000AA01");
    for (const Octets& part : {test::hex(behind_addresses), payload}) {
        frame.insert(frame.end(), part.begin(), part.end());
    }
    return frame;
}

inline Octets frame_of(const Lldpdu& lldpdu, std::string_view behind_addresses = "88CC") {
    Octets payload;
    write_lldpdu(lldpdu, longest_lldpdu, payload);
    return frame_with(payload, behind_addresses);
}

}  // namespace sluice::lldp
