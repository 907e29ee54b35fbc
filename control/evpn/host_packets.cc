#include "control/evpn/host_packets.h"

#include "control/neighbours/arp.h"
#include "control/neighbours/neighbour_discovery.h"
#include "dataplane/ingress/neighbour_packet.h"
#include "dataplane/types/tag.h"

namespace sluice::control::evpn {

namespace {

Octets without_tag(std::span<const uint8_t> octets, bool tagged) {
    Octets plain(octets.begin(), octets.end());
    const auto tag = plain.begin() + tag_offset;
    if (tagged) plain.erase(tag, tag + tag_octets);
    return plain;
}

}  // namespace

std::optional<HostPacket> read_host_packet(std::span<const uint8_t> octets, bool tagged) {
    const auto packet = read_neighbour_packet(octets, tagged);
    if (!packet) return {};
    const Octets plain = without_tag(octets, tagged);
    HostPacket host_packet{
        .says = {}, .router = packet->router, .asks = packet->target, .from = packet->mac};
    const auto says = [&](const IpAddress& ip) {
        host_packet.says = Station{ip, packet->mac, packet->router.value_or(false)};
    };
    if (neighbours::read_arp(plain)) {
        if (packet->sender) says(*packet->sender);
    } else if (const auto asked = neighbours::read_solicitation(plain)) {
        const bool is_its_own = asked->has_link_layer_address && asked->mac == packet->mac;
        if (packet->sender && is_its_own) says(*packet->sender);
    } else if (const auto advertisement = neighbours::read_advertisement(plain)) {
        if (advertisement->has_link_layer_address && advertisement->mac == packet->mac)
            says(advertisement->target);
    } else {
        return {};
    }
    return host_packet;
}

Octets answer_to(std::span<const uint8_t> question, bool tagged, const Station& station) {
    const Octets plain = without_tag(question, tagged);
    Octets answer;
    if (const auto arp = neighbours::read_arp(plain)) {
        const auto frame = neighbours::write_arp({.operation = neighbours::Operation::reply,
                                                  .sender = {station.mac, arp->target.ip},
                                                  .target = arp->sender},
                                                 read_address(&plain[6]));
        answer.assign(frame.begin(), frame.end());
    } else if (const auto asked = neighbours::read_solicitation(plain)) {
        answer = neighbours::write_advertisement(
            {.target = asked->target, .mac = station.mac, .router = station.router}, *asked);
    } else {
        return {};
    }
    const auto tag = question.subspan(tag_offset, tagged ? tag_octets : 0);
    answer.insert(answer.begin() + tag_offset, tag.begin(), tag.end());
    return answer;
}

}  // namespace sluice::control::evpn
