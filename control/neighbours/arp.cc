#include "control/neighbours/arp.h"

#include "dataplane/ingress/parse.h"

namespace sluice::neighbours {

namespace {

// RFC 826, behind the Ethernet header.
constexpr std::size_t header = 14;
constexpr std::size_t packet_octets = 28;
constexpr uint32_t ethernet_and_ipv4 = 0x0001'0800;
constexpr uint16_t their_lengths = 0x0604;
constexpr std::size_t lengths = header + 4;
constexpr std::size_t operation = header + 6;
constexpr std::size_t sender = header + 8;
constexpr std::size_t target = header + 18;

Station read_station(const uint8_t* octets) {
    return {.mac = read_address(octets), .ip = {read_32(octets + 6)}};
}

void write_station(uint8_t* octets, const Station& station) {
    write_address(octets, station.mac);
    write_32(octets + 6, station.ip.bits);
}

}  // namespace

std::optional<ArpPacket> read_arp(std::span<const uint8_t> octets) {
    if (octets.size() < header + packet_octets) return std::nullopt;
    const uint8_t* const data = octets.data();
    const auto does = static_cast<Operation>(read_16(data + operation));
    if (read_16(data + tag_offset) != arp_ether_type ||
        read_32(data + header) != ethernet_and_ipv4 || read_16(data + lengths) != their_lengths ||
        (does != Operation::request && does != Operation::reply)) {
        return std::nullopt;
    }
    return ArpPacket{.operation = does,
                     .sender = read_station(data + sender),
                     .target = read_station(data + target)};
}

ArpFrame write_arp(const ArpPacket& packet, MacAddress destination) {
    ArpFrame frame{};
    uint8_t* const data = frame.data();
    write_address(data, destination);
    write_address(data + 6, packet.sender.mac);
    write_16(data + tag_offset, arp_ether_type);
    write_32(data + header, ethernet_and_ipv4);
    write_16(data + lengths, their_lengths);
    write_16(data + operation, static_cast<uint16_t>(packet.operation));
    write_station(data + sender, packet.sender);
    write_station(data + target, packet.target);
    return frame;
}

}  // namespace sluice::neighbours
