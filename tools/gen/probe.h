// Probe: the frame that the generator sends and knows again: Ethernet with an 802.1Q tag, IPv4,
// UDP.
//
//   octet   0 destination, source   02-53-4C-00-00-<port>, locally administered; of a host
//                                   02-53-4D-<host>; to everybody FF-FF-FF-FF-FF-FF
//          12 tag                   0x8100, PCP = priority, VLAN
//          16 IPv4                  198.18.0.<port + 1> (RFC 2544's range), DSCP = class selector
//          of
//                                   the priority, identification = run, checksum right
//          38 UDP                   port 21324 to 9 (discard), checksum 0: none
//          46 sequence number       64 bits, of its flow, from 0
//          54 time of sending       48 bits of nanoseconds; wraps after 78 hours
//          60 zeros up to its length; the FCS is the device's business
// On ports of another family the first 12 octets are what those have: 16-bit ids are port + 1, the
// traffic class is four times the priority; for AFH Lite all from the tag on is payload.
// So the shortest frame, 64 octets with FCS, has exactly room for it. Magic are both networks and
// both UDP ports; sender, receiver and priority are read from the IP header, so they survive a
// switch that strips or rewrites the tag. `run` keeps what an earlier run left behind apart.
// Lengths named `frame_octets` count the FCS; what is handed to a device is 4 shorter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/address.h"
#include "dataplane/frame_format.h"
#include "dataplane/limits.h"
#include "dataplane/units.h"

namespace sluice::gen {

struct Flow {
    PortIndex sender = 0;
    PortIndex receiver = 0;
    Priority priority = 0;

    // To everybody but the sender at once: its own address stands for that.
    [[nodiscard]] constexpr bool is_broadcast() const { return receiver == sender; }
    friend constexpr bool operator==(const Flow&, const Flow&) = default;
};

inline constexpr uint16_t fcs_octets = 4;
inline constexpr uint16_t shortest_frame = 64;   // with FCS
inline constexpr uint16_t longest_frame = 1522;  // with FCS: 1500 octets of payload and a tag
inline constexpr std::size_t source_offset = 6;
inline constexpr std::size_t probe_octets = shortest_frame - fcs_octets;

// The station behind port `port` of whatever is tested.
constexpr MacAddress station_address(PortIndex port) {
    return MacAddress{0x02534C000000 | uint64_t{port}};
}

// One of many hosts that a port may have behind it beside its station.
inline constexpr uint32_t most_hosts = 1U << 24;
constexpr MacAddress host_address(uint32_t host) {
    return MacAddress{0x02534D000000 | uint64_t{host}};
}

// What a tested switch takes: a family of formats, as its preset lays it out, and whether its
// frames say that they understand a congestion mark (ECT(0), RFC 3168).
struct ProbeStyle {
    Family family = Family::ethernet;
    bool ecn_capable = false;
};

// All that frames of one flow and one length have in common, ready to be copied.
class ProbeTemplate {
  public:
    ProbeTemplate() = default;
    ProbeTemplate(const Flow& flow, VlanId vlan, uint16_t run, uint16_t frame_octets,
                  const ProbeStyle& style = {});

    // Octets to hand to the device.
    [[nodiscard]] uint16_t length() const { return length_; }
    // Writes the whole frame, length() octets.
    void write(uint8_t* data, uint64_t sequence) const;

  private:
    std::array<uint8_t, probe_octets> octets_{};
    uint16_t length_ = 0;
};

// The last thing before a frame goes: the time in it is that of the attempt which succeeds.
void stamp_time(uint8_t* data, Nanos now);

struct Probe {
    Flow flow;
    uint16_t run = 0;
    uint64_t sequence = 0;
    Nanos sent_at;  // of 48 bits

    // Between `sent_at` and `now`, shorter than 78 hours.
    [[nodiscard]] Nanos age(Nanos now) const;
};

// Nothing if the frame is none of ours. Its tag may be gone.
std::optional<Probe> read_probe(std::span<const uint8_t> octets);

// A frame from `port` to everybody, so that switches learn where it is: an empty frame of a local
// experimental EtherType (0x88B5, IEEE 802), untagged or in `vlan`.
void write_announcement(std::span<uint8_t, probe_octets> octets, PortIndex port, VlanId vlan,
                        Family family = Family::ethernet);

}  // namespace sluice::gen
