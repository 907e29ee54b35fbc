// Probe: the frame that the generator sends and recognises: Ethernet with an 802.1Q tag, IPv4, UDP.
//
//   octet   0 destination, source   02-53-4C-<number>-<port>, locally administered, with a number
//                                   of 16 bits, 0 unless the station has many addresses; of a host
//                                   02-53-4D-<host>; broadcast FF-FF-FF-FF-FF-FF
//          12 tag                   0x8100, PCP = priority, VLAN
//          16 IPv4                  198.18.0.0 (RFC 2544's range) + port + 1 + 128 times the low 10
//                                   bits of the number; DSCP = class selector of the priority,
//                                   identification = run, checksum right
//          38 UDP                   port 21324 to 9 (discard), checksum 0: none
//          46 sequence number       64 bits, by flow, from 0; in streams 48 bits, below the stream
//                                   number
//          54 time of sending       48 bits of nanoseconds; wraps after 78 hours
//          60 zeros up to its length; the device adds the FCS
// On ports of another family the first 12 octets have that family's format: 16-bit ids are port +
// 1, the traffic class is four times the priority; for AFH Lite all octets from the tag on are
// payload.
// A probe just fits the shortest frame, 64 octets with FCS. A frame is a probe if both IP addresses
// are in the network and both UDP ports match. Sender, receiver and priority are read from the IP
// header, so a switch may strip or rewrite the tag. `run` distinguishes frames of earlier runs.
// Lengths named `frame_octets` include the FCS; frames passed to a device are 4 octets shorter.
// Bound: a probe is written and read in the sender's and the receiver's own loop, without a call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/gen/probe_layout.h"

namespace sluice::gen {

// The stream number is above the frame number in the 64 bits of a sequence number.
inline constexpr int stream_shift = 48;
constexpr uint64_t first_of_stream(std::size_t stream) { return uint64_t{stream} << stream_shift; }

struct Flow {
    PortIndex sender = 0;
    PortIndex receiver = 0;
    Priority priority = 0;

    // Whether the frame is for all stations: the receiver is then the sender itself.
    [[nodiscard]] constexpr bool is_broadcast() const { return receiver == sender; }
    friend constexpr bool operator==(const Flow&, const Flow&) = default;
};

inline constexpr uint16_t fcs_octets = 4;
inline constexpr uint16_t shortest_frame = 64;   // with FCS
inline constexpr uint16_t longest_frame = 9724;  // with FCS: 9702 octets of payload and a tag
inline constexpr std::size_t source_offset = 6;
inline constexpr std::size_t probe_octets = shortest_frame - fcs_octets;
static_assert(layout::time_offset + layout::time_octets == probe_octets);

// Returns address `number` of the station at port `port` of the tested device.
inline constexpr uint32_t most_addresses = 1U << 16;
constexpr MacAddress station_address(PortIndex port, uint32_t number = 0) {
    return MacAddress{0x02534C000000 | uint64_t{number} << 8 | uint64_t{port}};
}

// Returns the address of a host: a port may have many hosts in addition to its station.
inline constexpr uint32_t most_hosts = 1U << 24;
constexpr MacAddress host_address(uint32_t host) {
    return MacAddress{0x02534D000000 | uint64_t{host}};
}

// The frames that the tested switch expects: a family of formats, in the layout of its preset; and
// whether frames are ECN-capable (ECT(0), RFC 3168).
struct ProbeStyle {
    FormatFamily family = FormatFamily::ethernet;
    bool ecn_capable = false;
    std::optional<uint8_t> dscp = {};  // replaces the class selector of the priority
};

// ProbeTemplate: the octets that all frames of one flow and one length share.
class ProbeTemplate {
  public:
    ProbeTemplate() = default;
    ProbeTemplate(const Flow& flow, VlanId vlan, uint16_t run, uint16_t frame_octets,
                  const ProbeStyle& style = {});

    // Returns the length of the frame without FCS.
    [[nodiscard]] uint16_t length() const { return length_; }
    // Writes the whole frame, length() octets.
    void write(uint8_t* data, uint64_t sequence) const {
        std::memcpy(data, octets_.data(), probe_octets);
        layout::write_64(data + layout::sequence_offset, sequence);
        if (length_ > probe_octets) std::memset(data + probe_octets, 0, length_ - probe_octets);
    }

  private:
    std::array<uint8_t, probe_octets> octets_{};
    uint16_t length_ = 0;
};

// Writes the numbers of the source and destination addresses, MAC and IP, into a frame of `flow`
// whose addresses have number 0. A broadcast address stays. Only for ports with 48-bit addresses.
inline void write_numbers(uint8_t* data, const Flow& flow, uint32_t from, uint32_t to) {
    using namespace layout;
    if (flow.is_broadcast()) {
        to = 0;
    } else {
        write_16(data + number_offset, static_cast<uint16_t>(to));
    }
    write_16(data + source_offset + number_offset, static_cast<uint16_t>(from));
    uint8_t* const ip = data + ip_offset;
    const uint32_t source = bits_of_number(from);
    const uint32_t destination = bits_of_number(to);
    write_32(ip + source_field, (network | source) + flow.sender + 1U);
    write_32(ip + destination_field, (network | destination) + flow.receiver + 1U);
    // Adds what the header has gained to the checksum (RFC 1624), instead of reading the whole
    // header.
    uint32_t sum = static_cast<uint16_t>(~read_16(ip + checksum_field));
    sum += (source >> 16) + (source & 0xFFFF) + (destination >> 16) + (destination & 0xFFFF);
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    write_16(ip + checksum_field, static_cast<uint16_t>(~sum));
}

// Writes the time of sending. Called just before each attempt to send a frame, so that the frame
// has the time of the attempt that succeeds.
inline void stamp_time(uint8_t* data, Nanos now) {
    const auto time = static_cast<uint64_t>(now.count());
    write_32(data + layout::time_offset, static_cast<uint32_t>(time >> 16));
    write_16(data + layout::time_offset + 4, static_cast<uint16_t>(time));
}

struct Probe {
    Flow flow;
    uint16_t run = 0;
    uint64_t sequence = 0;
    Nanos sent_at;  // low 48 bits of the time

    // Returns the time from `sent_at` to `now`, which must be less than 78 hours.
    [[nodiscard]] Nanos age(Nanos now) const {
        constexpr uint64_t mask = (uint64_t{1} << (8 * layout::time_octets)) - 1;
        const auto passed = static_cast<uint64_t>((now - sent_at).count());
        return Nanos(static_cast<int64_t>(passed & mask));
    }
};

// Returns none if the frame is not a probe of this generator. A probe's tag may have been removed.
inline std::optional<Probe> read_probe(std::span<const uint8_t> octets) {
    using namespace layout;
    if (octets.size() < probe_octets - tag_octets) return {};
    const bool tagged = read_16(&octets[tag_offset]) == vlan_ether_type;
    const std::size_t shift = tagged ? 0 : tag_octets;
    if (octets.size() < probe_octets - shift) return {};
    const uint8_t* const ip = octets.data() + ip_offset - shift;
    if (read_16(ip - 2) != ip_ether_type || ip[0] != 0x45) return {};
    if (read_32(ip + udp_field) != udp_ports) return {};
    // Both stations in one number, the sender in the upper half: one comparison checks both.
    const uint64_t stations =
        (read_64(ip + source_field) & twice(~number_bits)) - twice(network + 1);
    if ((stations & twice(~uint32_t{max_ports - 1})) != 0) return {};

    const uint8_t* const payload = ip + payload_field;
    Probe probe;
    probe.flow = {static_cast<PortIndex>(stations >> 32), static_cast<PortIndex>(stations),
                  static_cast<Priority>(ip[tos_field] >> 5)};
    probe.run = read_16(ip + identification_field);
    probe.sequence = read_64(payload);
    probe.sent_at = Nanos(int64_t{read_32(payload + 8)} << 16 | read_16(payload + 12));
    return probe;
}

// Writes a broadcast frame from address `number` of the station at `port`, so that switches learn
// the address: an empty frame of a local experimental EtherType (0x88B5, IEEE 802), untagged or in
// `vlan`. In formats with ids a station has one address, and `number` is ignored.
void write_announcement(std::span<uint8_t, probe_octets> octets, PortIndex port, VlanId vlan,
                        FormatFamily family = FormatFamily::ethernet, uint32_t number = 0);

}  // namespace sluice::gen
