// Whatever a host sends that may be ARP or neighbour discovery: worker and control read it inside
// its end, or not at all; who is believed is a station that speaks for itself; and what is answered
// is a packet that is read as what it is, in the name of who was asked for, to who asked.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "control/evpn/host_packets.h"
#include "control/neighbours/arp.h"
#include "control/neighbours/neighbour_discovery.h"
#include "dataplane/ingress/neighbour_packet.h"
#include "dataplane/types/tag.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    using namespace sluice::control::evpn;
    using test::must;
    constexpr std::size_t longest = 1522;
    constexpr MacAddress mac{0x0200'0000'0007};
    const test::Fenced frame({data, std::min(size, longest)});
    const bool tagged = size > tag_offset + 1 && is_tag(read_16(&data[tag_offset]));
    const auto packet = read_neighbour_packet(frame.octets(), tagged);
    const auto host_packet = read_host_packet(frame.octets(), tagged);
    must(packet || !host_packet, "control reads no packet that a worker does not");
    if (!packet) return 0;
    const MacAddress source = read_address(&frame.octets()[6]);
    must(packet->mac == source, "who speaks is the frame's source");
    const bool to_group = read_address(frame.octets().data()).is_group();
    must(!packet->target || to_group, "a question is to a group");
    must(!packet->target || packet->target != packet->sender, "for another");
    if (!host_packet) return 0;
    must(host_packet->asks == packet->target && host_packet->from == source,
         "it is the same question");
    must(!host_packet->says || host_packet->says->mac == source, "it speaks for itself");
    if (!host_packet->asks) return 0;
    const Octets answer = answer_to(frame.octets(), tagged, {*host_packet->asks, mac, true});
    const auto again = read_host_packet(answer, tagged);
    must(again && !again->asks, "an answer asks nothing");
    must(again->says && again->says->mac == mac, "it is in the name of who was asked for");
    must(again->says->ip == *host_packet->asks, "and says where that is");
    return 0;
}
