// Encapsulator: writes the outer headers of frames that enter a tunnel.
//
// They are made once, by the kind of the tunnel (encapsulation.h), and of each frame a few are
// patched: lengths and checksums, the mark of its priority, ECN of its IP header (RFC 6040 4.1)
// where the outer one has it, and what names its flow, so that a routed network keeps the order of
// a flow and spreads flows over its ways. Frames with a number of link-level retry are one flow,
// whatever they have in them: one that another overtook would count as lost. Where the port below
// has a VLAN its tag is among them.
// Bound: `octets()` written, those that flow.h reads read. Not done here: whether the frame fits
// the network below; the configuration sees to that.
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
    // `seed` keeps switches in a row from spreading flows alike.
    Encapsulator(const Encapsulation& tunnel, const UnderlayAddresses& here,
                 const OuterMarks& marks, uint64_t seed);

    // The octets that are added before each frame.
    [[nodiscard]] std::size_t octets() const { return octets_; }
    // Writes the headers of each frame of a burst; the first octets of each frame are room for
    // them.
    void write(std::span<const Frame> burst, MacAddress next_hop) const;
    // The same for a tunnel to many VTEPs, for each frame to its own VTEP.
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
    std::size_t tag_ = 0;  // of these
    uint16_t vlan_ = 0;
    OuterMarks marks_;
    uint64_t seed_ = 0;
    bool names_flows_ = true;  // else nothing of the frame is looked at
};

}  // namespace sluice
