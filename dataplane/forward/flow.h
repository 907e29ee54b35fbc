// Flow: hashes a frame to a number that is the same for all frames of one conversation, so that
// frames whose path it selects keep their order (802.1AX 6.2.4).
//
// Levels: l2 hashes the MAC addresses and the VLAN; l3 the IP addresses; l4 the IP addresses and
// the ports of TCP or UDP, or the MAC addresses and the flow label of a format that has one. A
// frame without the fields of a level uses the level below. The ports of a fragment are not used,
// since only the first fragment has them. So fragments keep their order among themselves, but not
// with the whole datagrams of their conversation.
// Bound: reads 44 octets. `seed` makes switches in a row choose differently: every bit of the
// result depends on all bits of the seed, which one multiplication does not achieve (hash.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/forward/fdb.h"
#include "dataplane/forward/hash.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Flow {
  public:
    Flow(DistributionHash by, uint64_t seed) : by_(by), seed_(seed) {}

    // Returns the number. `source` and `destination` are FDB keys; `network_offset` is that of the
    // frame; `label` is 0 if the frame has none.
    [[nodiscard]] uint64_t operator()(Fdb::Key source, Fdb::Key destination,
                                      std::span<const uint8_t> octets, uint8_t network_offset,
                                      uint64_t label = 0) const {
        if (by_ == DistributionHash::l2 || network_offset == 0) {
            uint64_t sum = mixed(seed_, static_cast<uint64_t>(source));
            if (by_ == DistributionHash::l4 && label != 0) sum = mixed(sum, label);
            return hash_of(static_cast<uint64_t>(destination), sum);
        }
        const std::span<const uint8_t> ip = octets.subspan(network_offset);
        const bool version_4 = ip[0] >> 4 == 4;
        constexpr std::size_t word = sizeof(uint64_t);
        const auto addresses =
            version_4 ? ip.subspan(12, word) : ip.subspan(8, std::size_t{4} * word);
        uint64_t sum = seed_;
        for (std::size_t at = 0; at < addresses.size(); at += word) {
            uint64_t part = 0;
            std::memcpy(&part, &addresses[at], word);
            sum = mixed(sum, part);
        }
        if (by_ == DistributionHash::l3) return hash_of(0, sum);
        const Transport transport = transport_of(octets, network_offset);
        if (transport.protocol == 0 || transport.fragment) return hash_of(0, sum);
        return hash_of(uint64_t{transport.protocol} << 32 | uint64_t{transport.source_port} << 16 |
                           transport.destination_port,
                       sum);
    }

    // Returns the same number for l4, faster. Requires an IPv4 header without options at `ip`, and
    // four octets after it, as in most frames.
    static constexpr std::size_t plain_ipv4_octets = 24;
    [[nodiscard]] static uint64_t of_plain_ipv4(const uint8_t* ip, uint64_t seed) {
        uint64_t addresses = 0;
        std::memcpy(&addresses, ip + 12, sizeof addresses);
        const uint8_t protocol = ip[9];
        const bool has_ports = (protocol == tcp_protocol || protocol == udp_protocol) &&
                               (read_16(ip + 6) & 0x3FFF) == 0;
        const uint64_t ports = uint64_t{protocol} << 32 | read_32(ip + 20);
        return hash_of(has_ports ? ports : 0, mixed(seed, addresses));
    }

  private:
    DistributionHash by_;
    uint64_t seed_;
};

}  // namespace sluice
