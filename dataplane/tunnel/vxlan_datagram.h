// VxlanDatagram: the part of VXLAN (RFC 7348) after the IP header of either version: writes the UDP
// and VXLAN headers, and finds the tunnel of a received datagram.
//
//   0  UDP to port 4789          8 octets
//   8  VXLAN: flags, VNI         8
//  16  the frame that is carried
//
// Sent: the source port, of 49152 to 65535, is the same for all frames of a flow, so that a routed
// network keeps their order and distributes flows over its paths; the checksum is 0 (RFC 7348 5).
// Received: a datagram belongs to the tunnel with its VNI if its source is the tunnel's other end,
// or one of its VTEPs (vteps.h). A non-zero checksum is ignored, as RFC 7348 5 allows, and so are
// reserved bits. A tagged carried frame is refused if the VNI determines its VLAN (bundle.h, RFC
// 7348 6.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/bundle.h"
#include "dataplane/tunnel/carried_frame.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/tag.h"

namespace sluice {

inline constexpr uint16_t vxlan_port = 4789;
inline constexpr uint32_t highest_vni = 0xFFFFFF;
inline constexpr std::size_t udp_octets = 8;
inline constexpr std::size_t vxlan_datagram_octets = udp_octets + 8;

inline void write_vni(uint8_t* udp, uint32_t vni) { write_32(udp + udp_octets + 4, vni << 8); }
// Writes the fields that are the same in all datagrams of a tunnel.
inline void write_vxlan(uint8_t* udp, uint32_t vni) {
    write_16(udp + 2, vxlan_port);
    udp[udp_octets] = 0x08;  // flag: valid VNI
    write_vni(udp, vni);
}
// Writes the fields that depend on the frame: the source port, from the flow, and the length.
inline void patch_vxlan(uint8_t* udp, const FrameMarks& marks) {
    constexpr uint16_t first_dynamic = 0xC000;  // RFC 6335 6: 49152 to 65535
    write_16(udp, static_cast<uint16_t>(first_dynamic | marks.flow >> 50));
    write_16(udp + 4, static_cast<uint16_t>(marks.carried + vxlan_datagram_octets));
}

// The tunnels whose other ends have addresses of one version.
template <class Address>
class VxlanPeers {
  public:
    // Adds a tunnel, at most max_ports in all. `bundle`: for a tunnel to many VTEPs, whose `remote`
    // is 0.
    void add(const Address& remote, uint32_t vni, uint8_t number, const Bundle* bundle = nullptr) {
        const bool has_one = bundle != nullptr && !bundle->is_by_vlan();
        peers_[count_++] = {remote, vni, number, bundle, has_one ? &(*bundle)[0] : nullptr};
    }
    // Classifies a datagram to port 4789. `at`: the offset of the UDP header in the frame, and the
    // datagram's length by the IP header.
    [[nodiscard]] Arrival take_out_of(std::span<uint8_t> octets, const CarriedAt& at,
                                      const Address& source, EcnField ecn) const {
        if (at.length > octets.size() - at.offset || at.length < vxlan_datagram_octets ||
            read_16(&octets[at.offset + 4]) != at.length) {
            return refused(Refusal::length);
        }
        const uint8_t* const vxlan = &octets[at.offset + udp_octets];
        if ((vxlan[0] & 0x08) == 0) return refused(Refusal::no_vni);
        const uint32_t vni = read_32(vxlan + 4) >> 8;
        const auto peers = std::span(peers_).first(count_);
        // Tunnels to many VTEPs are skipped here: they have no remote address.
        const auto found = std::ranges::find_if(peers, [&](const Peer& peer) {
            return peer.vni == vni && peer.remote == source && peer.bundle == nullptr;
        });
        const CarriedAt carried{at.offset + vxlan_datagram_octets,
                                at.length - vxlan_datagram_octets};
        if (found == peers.end()) return take_out_of_one_of_many(octets, carried, vni, source, ecn);
        return take_out(octets, carried, ecn, found->number);
    }

  private:
    struct Peer {
        Address remote;
        uint32_t vni = 0;
        uint8_t number = 0;
        const Bundle* bundle = nullptr;
        const Vteps* only_network = nullptr;  // set if the bundle has one network
    };

    [[gnu::noinline]] Arrival take_out_of_one_of_many(std::span<uint8_t> octets,
                                                      const CarriedAt& carried, uint32_t vni,
                                                      const Address& source, EcnField ecn) const {
        bool is_known = false;
        for (const Peer& peer : std::span(peers_).first(count_)) {
            if (peer.bundle == nullptr) {
                is_known |= peer.vni == vni;
                continue;
            }
            if constexpr (std::is_same_v<Address, Ipv4Address>) {
                if (peer.only_network != nullptr) {
                    if (peer.vni != vni) continue;
                    is_known = true;
                    const auto vtep = peer.only_network->from(source);
                    if (vtep) return take_out_in(octets, carried, ecn, peer.number, 0, *vtep);
                    continue;
                }
                const auto network = peer.bundle->place_of(vni);
                if (!network) continue;
                is_known = true;
                const auto vtep = (*peer.bundle)[*network].from(source);
                if (!vtep) continue;
                if (has_tag(octets, carried)) return refused(Refusal::inner_tag);
                return take_out_in(octets, carried, ecn, peer.number, *network, *vtep);
            }
        }
        return refused(is_known ? Refusal::other_source : Refusal::unknown_vni);
    }
    static Arrival take_out_in(std::span<uint8_t> octets, const CarriedAt& carried, EcnField ecn,
                               uint8_t number, uint8_t network, VtepId vtep) {
        Arrival arrival = take_out(octets, carried, ecn, number);
        arrival.network = network;
        arrival.vtep = vtep;
        return arrival;
    }
    static bool has_tag(std::span<const uint8_t> octets, const CarriedAt& carried) {
        return carried.length >= tag_offset + 2 &&
               is_tag(read_16(&octets[carried.offset + tag_offset]));
    }

    std::array<Peer, max_ports> peers_{};
    std::size_t count_ = 0;
};

}  // namespace sluice
