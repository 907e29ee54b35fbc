// Mpls: a frame behind a stack of labels (RFC 3032): an Ethernet pseudowire (RFC 4448) over a
// segment-routed path (RFC 8660), and the parameters of such a tunnel.
//
//   0  Ethernet II, no tag                                              14 octets
//  14  labels, the last of them the pseudowire's                        4 each
//      before that one, if configured: an indicator and an entropy label (RFC 6790)     8
//      if configured: the control word (RFC 4385)                       4
//      the frame that is carried, without FCS
//
// Sent: each label has TTL 255 and the traffic class (RFC 5462) of the frame's priority; the
// control word is 0, without a sequence number, as RFC 4448 4.1 allows. The entropy label is the
// same for all frames of a flow.
// Received: a frame belongs to the tunnel with its bottom label. The bottom label must also be the
// first one, since the hops before have popped all others; an entropy label before it is skipped.
// MPLS has no length field, so the padding of a short carried frame becomes part of that frame. ECN
// of MPLS (RFC 5129) is not supported: the carried frame keeps its own ECN.
// Not here: other labels, which are refused; TTL and sequence numbers, which are ignored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/types/limits.h"

namespace sluice {

inline constexpr uint16_t mpls_ether_type = 0x8847;
inline constexpr uint32_t lowest_label = 16;  // lower labels are reserved (RFC 3032 2.1)
inline constexpr uint32_t highest_label = (1U << 20) - 1;
inline constexpr std::size_t most_labels = 8;

struct MplsTunnel {
    std::array<uint32_t, most_labels> labels{};  // from the top of the stack on
    uint8_t count = 1;                           // number of labels
    bool control_word = true;                    // whether both ends use the control word
    bool entropy_label = false;
    uint32_t local_label = 0;

    using Header = class MplsHeader;
    [[nodiscard]] constexpr bool names_flows() const { return entropy_label; }
};

// Returns the number of octets added before each frame.
constexpr std::size_t outer_octets(const MplsTunnel& tunnel) {
    return outer_network + std::size_t{4} * tunnel.count + (tunnel.entropy_label ? 8U : 0U) +
           (tunnel.control_word ? 4U : 0U);
}
static_assert(outer_octets(MplsTunnel{.count = most_labels, .entropy_label = true}) <=
              most_outer_octets);

class MplsHeader {
  public:
    MplsHeader(const MplsTunnel& tunnel, const UnderlayAddresses& here);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const uint8_t* octets() const { return octets_.data(); }
    void patch(uint8_t* octets, const FrameMarks& marks) const;

  private:
    std::array<uint8_t, most_outer_octets> octets_{};
    std::size_t size_;
    std::size_t stack_end_ = 0;
    std::size_t entropy_at_ = 0;  // offset of the entropy label; 0: none
};

class MplsEnds {
  public:
    // Adds a tunnel, at most max_ports in all.
    void add(const MplsTunnel& tunnel, uint8_t number) {
        ends_[count_++] = {tunnel.local_label, tunnel.control_word, number};
    }
    // Classifies an MPLS frame whose destination is the port's MAC address.
    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    struct End {
        uint32_t label = 0;
        bool control_word = false;
        uint8_t number = 0;
    };

    std::array<End, max_ports> ends_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
