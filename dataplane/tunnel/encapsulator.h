// Encapsulator: writes the outer headers of frames that enter a tunnel.
//
// The headers are made once, by the kind of the tunnel (encapsulation.h). A few fields are patched
// for each frame: lengths and checksums; the DSCP, traffic class or PCP of its priority; the ECN of
// its IP header (RFC 6040 4.1), if the outer header has it; and the identifier of its flow, so that
// a routed network keeps the order of a flow and distributes flows over its paths. All frames with
// a retry header are one flow, since a frame that others overtake counts as lost. If the port below
// has a VLAN, the headers include its tag.
// Bound: writes `octets()`, reads the octets that flow.h reads. Not here: whether the frame fits
// the MTU of the network below, which the configuration ensures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/tunnel/tunnel_ecn.h"
#include "dataplane/tunnel/vteps.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"

namespace sluice {

class Encapsulator {
  public:
    Encapsulator() = default;
    // `seed` makes switches in a row distribute flows differently.
    Encapsulator(const Encapsulation& tunnel, const UnderlayAddresses& here,
                 const OuterMarks& marks, uint64_t seed);

    // Returns the number of octets added before each frame.
    [[nodiscard]] std::size_t octets() const { return octets_; }
    // Writes the headers into the first octets of each frame of a burst, which the caller leaves
    // free.
    void write(std::span<const Frame> burst, MacAddress next_hop) const;
    // As `write`, for a tunnel to many VTEPs: each frame has a VTEP of its own.
    void write_each(std::span<const Frame> burst, std::span<const VtepWay> ways) const;

  private:
    // The fields of a header that depend on the carried frame.
    struct Inside {
        uint64_t flow;
        EcnField ecn;
    };

    template <class Header>
    void write_by(const Header& header, std::span<const Frame> burst, MacAddress next_hop) const;
    void put_tag(uint8_t* octets, const uint8_t* addresses, Priority priority) const;
    [[nodiscard]] FrameMarks marks_of(std::span<const uint8_t> inner, Priority priority) const;
    [[nodiscard]] Inside look_inside(std::span<const uint8_t> inner) const;
    [[nodiscard]] Inside look_further_inside(std::span<const uint8_t> inner) const;

    HeadersOf<Encapsulation>::type header_;
    std::size_t octets_ = vxlan_octets;
    std::size_t tag_ = 0;  // octets of the tag, included in `octets_`
    uint16_t vlan_ = 0;
    OuterMarks marks_;
    uint64_t seed_ = 0;
    bool names_flows_ = true;  // if false, the carried frame is not read
};

}  // namespace sluice
