#include "control/neighbours/arp.h"

#include "dataplane/ingress/parse.h"
#include "dataplane/types/neighbour_format.h"

namespace sluice::neighbours {

namespace {

constexpr std::size_t header = tag_offset + 2;  // after the EtherType

Station read_station(const uint8_t* octets) {
    return {.mac = read_address(octets), .ip = {read_32(octets + 6)}};
}

void write_station(uint8_t* octets, const Station& station) {
    write_address(octets, station.mac);
    write_32(octets + 6, station.ip.bits);
}

}  // namespace

std::optional<ArpPacket> read_arp(std::span<const uint8_t> octets) {
    if (octets.size() < header + arp::octets) return std::nullopt;
    const uint8_t* const packet = octets.data() + header;
    const auto does = static_cast<Operation>(read_16(packet + arp::operation));
    if (read_16(octets.data() + tag_offset) != arp_ether_type ||
        read_32(packet) != arp::ethernet_and_ipv4 ||
        read_16(packet + arp::lengths) != arp::address_lengths ||
        (does != Operation::request && does != Operation::reply)) {
        return std::nullopt;
    }
    return ArpPacket{.operation = does,
                     .sender = read_station(packet + arp::sender),
                     .target = read_station(packet + arp::target)};
}

ArpFrame write_arp(const ArpPacket& packet, MacAddress destination) {
    ArpFrame frame{};
    uint8_t* const data = frame.data();
    write_address(data, destination);
    write_address(data + 6, packet.sender.mac);
    write_16(data + tag_offset, arp_ether_type);
    write_32(data + header, arp::ethernet_and_ipv4);
    write_16(data + header + arp::lengths, arp::address_lengths);
    write_16(data + header + arp::operation, static_cast<uint16_t>(packet.operation));
    write_station(data + header + arp::sender, packet.sender);
    write_station(data + header + arp::target, packet.target);
    return frame;
}

}  // namespace sluice::neighbours
