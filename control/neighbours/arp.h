// Arp: the packets of RFC 826, for Ethernet and IPv4.
//
// A packet is read from a whole frame without a tag, and written as the shortest frame that a wire
// takes. Bound: 42 octets read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/tag.h"

namespace sluice::neighbours {

enum class Operation : uint16_t { request = 1, reply = 2 };

struct Station {
    MacAddress mac;
    Ipv4Address ip;
};

struct ArpPacket {
    Operation operation = Operation::request;
    Station sender;
    Station target;  // the MAC address has no meaning in a request
};

using ArpFrame = std::array<uint8_t, shortest_on_wire>;

// Returns empty if the octets are no ARP packet, or a packet for other address types.
std::optional<ArpPacket> read_arp(std::span<const uint8_t> octets);
// Returns a frame from the packet's sender to `destination`.
ArpFrame write_arp(const ArpPacket& packet, MacAddress destination);

}  // namespace sluice::neighbours
