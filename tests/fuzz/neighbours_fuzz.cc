// Whatever a port with addresses receives of its neighbours, by ARP or discovery: it is read inside
// the frame, or not at all; nothing is kept of who was not asked for; what is answered is a packet
// that is read as what it is, from the port, to a station or to all; who is believed is one
// station, another one; and a station that does not answer again is forgotten.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "control/neighbours/resolver.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;
using namespace sluice::neighbours;
using test::must;

const OwnAddresses own{{0x0200'0000'0001}, Ipv4Address{0xC000'0201}, test::ipv6_of(1, 1)};
const Ipv6Address sid = test::ipv6_of(9, 0xD2);
constexpr MacAddress all_nodes{0x3333'0000'0001};
const std::array<IpAddress, 2> routers = {Ipv4Address{0xC000'02FE}, test::ipv6_of(1, 0xFE)};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr std::size_t longest = 1522;
    const test::Fenced frame({data, std::min(size, longest)});
    constexpr Nanos now{1'000'000'000'000};
    Resolver resolver(own);
    resolver.set_sids({sid});
    resolver.want(routers, now);
    std::vector<Change> changes;
    const auto answer = resolver.receive(frame.octets(), now, changes);
    must(resolver.neighbours().size() == routers.size(), "nobody is kept who was not asked for");
    must(changes.size() <= 1, "a packet is about one station");
    for (const IpAddress& router : routers) {
        const auto mac = resolver.find(router);
        must(!mac || (!mac->is_group() && mac->bits != 0), "who is believed is a station");
        must(mac != own.mac, "and another one");
    }
    for (Nanos later = now; later <= now + Resolver::known; later += Resolver::first_pause) {
        must(resolver.proceed(later, changes).size() <= routers.size(), "each is asked once");
    }
    must(!resolver.find(routers[0]) && !resolver.find(routers[1]), "nobody is known for ever");
    if (!answer) return 0;
    const MacAddress to = read_address(answer->data());
    must(!to.is_group() || to == all_nodes, "to a station, or to all who are there");
    must(read_address(&(*answer)[6]) == own.mac, "the port answers");
    const auto arp = read_arp(*answer);
    const auto discovery = read_advertisement(*answer);
    must(arp.has_value() != discovery.has_value(), "an answer is one of either");
    if (arp) must(arp->operation == Operation::reply && arp->sender.ip == own.ipv4, "of ARP");
    if (discovery) {
        must(discovery->target == own.ipv6 || discovery->target == sid, "of its own");
        must(discovery->mac == own.mac, "with its MAC");
    }
    return 0;
}
