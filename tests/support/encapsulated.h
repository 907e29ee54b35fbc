// Encapsulated: a frame to carry, and the frame of a tunnel that carries it, as octets in tests.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/tunnel/encapsulator.h"
#include "dataplane/types/address.h"
#include "dataplane/types/frame.h"
#include "tests/support/octets.h"

namespace sluice::test {

// The next hop of tunnels' frames in the network below.
inline constexpr MacAddress router{0x0200'0000'00FE};

// Returns UDP from 10.0.0.1:1 to 10.0.0.2:2 with ECT(1).
inline Octets datagram(uint16_t source_port = 1) {
    Octets octets =
        hex("02000000000b 02000000000a 0800"
            "45 01 0024 0001 0000 40 11 66c5 0a000001 0a000002"
            "0001 0002 0010 5a33 6162636465666768");
    write_16(&octets[34], source_port);
    return octets;
}

inline Octets encapsulated(const Encapsulator& encapsulator, std::span<const uint8_t> inner,
                           Priority priority = 3, MacAddress next_hop = router) {
    Octets whole(encapsulator.octets());
    whole.insert(whole.end(), inner.begin(), inner.end());
    Frame frame{};
    frame.data = whole.data();
    frame.length = static_cast<uint16_t>(whole.size());
    frame.priority = priority;
    encapsulator.write({&frame, 1}, next_hop);
    return whole;
}
inline Octets encapsulated(const Encapsulator& encapsulator) {
    return encapsulated(encapsulator, datagram());
}

}  // namespace sluice::test
