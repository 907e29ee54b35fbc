// Encapsulator: the 50 octets that go before a frame on its way into a tunnel (RFC 7348 5).
//
// They are made once, and of each frame a few are patched: lengths, DSCP by its priority, ECN of
// its IP header (RFC 6040 4.1), the IP checksum, and a UDP source port of 49152 to 65535 that is
// the same for all frames of a flow (RFC 7348 5), so that a routed network keeps their order and
// spreads flows over its ways. The datagram is not to be fragmented, and so needs no identification
// (RFC 6864 4.1); TTL is 64, the UDP checksum 0 (RFC 7348 5).
// Bound: 50 octets written, those that flow.h reads read. Not done here: whether the frame fits the
// network below; the configuration sees to that.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/limits.h"
#include "dataplane/tunnel/vxlan.h"

namespace sluice {

class Encapsulator {
  public:
    Encapsulator() = default;
    // `seed` keeps switches in a row from spreading flows alike.
    Encapsulator(const VxlanEnds& ends, const OuterDscps& dscps, uint64_t seed);

    // Writes `outer`, which stands before `inner`, a whole frame.
    void write(std::span<uint8_t, vxlan_octets> outer, std::span<const uint8_t> inner,
               Priority priority, MacAddress next_hop) const;

  private:
    [[nodiscard]] uint16_t entropy_of(std::span<const uint8_t> inner, uint8_t network) const;

    std::array<uint8_t, vxlan_octets> made_{};
    uint32_t sum_ = 0;  // of the IP header's words but those that differ from frame to frame
    OuterDscps dscps_{};
    uint64_t seed_ = 0;
};

}  // namespace sluice
