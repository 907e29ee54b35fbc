// Decapsulator: what a frame that a port received is to the ends of tunnels there (RFC 7348).
//
// Theirs is what is sent to the port's own MAC and IPv4 address, to UDP port 4789 or in fragments.
// Of that, what is one of the tunnels' is told with where the carried frame lies, and the rest
// refused under a name. All else is none of theirs: it is bridged as if there were no tunnel; but
// an ARP packet about the port's address is told, for whoever answers it.
// A UDP checksum that is not 0 is not looked at, as RFC 7348 5 allows; reserved bits are ignored.
// What stands behind the datagram, the padding of a short frame, is no part of the carried one.
// ECN of both headers becomes the carried one's, in place (RFC 6040 4.2); where that has no IP
// header, the outer one's says nothing.
// Bound: the headers read, in place, all within the frame; of the tunnels of a port each is looked
// at. Not taken: IPv6 below, a tag in front of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dataplane/address.h"
#include "dataplane/limits.h"
#include "dataplane/tunnel/vxlan.h"

namespace sluice {

enum class Refusal : uint8_t {
    none,
    malformed,        // its IPv4 header is cut short, or says that of itself which cannot be
    header_checksum,  // of IPv4
    length,           // IPv4, UDP and the frame do not agree on it
    fragment,
    no_vni,        // the flag that there is one is not set
    unknown_vni,   // no tunnel here has it
    other_source,  // a tunnel has it, and its other end has another address
    inner_short,   // what is carried is no whole Ethernet header
    ecn            // congestion was met, and the carried one's sender would not understand it
};
inline constexpr std::size_t refusal_kinds = 10;
std::string_view name_of(Refusal refusal);

// What a frame is to the tunnels of the port that received it.
enum class ArrivalKind : uint8_t { others, arp, carried, refused };

struct Arrival {
    ArrivalKind kind = ArrivalKind::others;
    Refusal why = Refusal::none;
    uint8_t tunnel = 0;   // in the order in which they were added
    uint16_t offset = 0;  // where the carried frame begins
    uint16_t length = 0;
};

class Decapsulator {
  public:
    Decapsulator() = default;
    Decapsulator(MacAddress own, Ipv4Address local) : own_(own), local_(local) {}

    // At most max_ports of them.
    void add(Ipv4Address remote, uint32_t vni) { tunnels_[count_++] = {remote, vni}; }

    [[nodiscard]] Arrival look(std::span<uint8_t> octets) const;

  private:
    struct Tunnel {
        Ipv4Address remote;
        uint32_t vni = 0;
    };

    [[nodiscard]] bool is_arp(std::span<const uint8_t> octets) const;
    [[nodiscard]] Arrival unwrap(std::span<uint8_t> octets, std::size_t header) const;

    MacAddress own_;
    Ipv4Address local_;
    std::array<Tunnel, max_ports> tunnels_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
