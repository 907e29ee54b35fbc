// Whatever octets come where reports of groups are snooped: nothing is read beyond their end; what
// is not whole and of the right checksum changes nothing; whatever is reported, no more is kept
// than there is room for, and all of it is forgotten in time.
//
// Records: an octet that says which port, what time passes and whether its link goes, one of length
// and as many octets from the IP header on. With its top bit checksums are mended first, since a
// fuzzer seldom finds them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "dataplane/forward/multicast/multicast.h"
#include "tests/support/membership_octets.h"

namespace {

using namespace sluice;

constexpr uint32_t capacity = 8;
constexpr PortIndex ports = 4;

void require(bool holds) {
    if (!holds) std::abort();
}

Settings listening() {
    Settings settings;
    settings.ports.resize(ports);
    settings.multicast.capacity = capacity;
    settings.multicast.snooping.fill(3);
    settings.multicast.queried.set();
    settings.multicast.groups = {{.vlan = 1, .address = {0x01005E010101}, .ports = 1}};
    return settings;
}

void mend_ipv4(test::Octets& octets) {
    const std::size_t header = std::size_t{4} * (octets[0] & 0x0F);
    const std::size_t total = read_16(&octets[2]);
    if (header < 20 || total < header + 4 || total > octets.size()) return;
    write_16(&octets[10], 0);
    write_16(&octets[10], test::checksum_of(std::span(octets).first(header)));
    const auto igmp = std::span(octets).first(total).subspan(header);
    write_16(&igmp[2], 0);
    write_16(&igmp[2], test::checksum_of(igmp));
}

void mend_ipv6(test::Octets& octets) {
    constexpr std::size_t header = 40;
    if (octets.size() < header + 4) return;
    const std::size_t end = std::min(octets.size(), header + read_16(&octets[4]));
    constexpr uint8_t pim = 103;
    const uint8_t next = octets[6] == pim ? pim : 58;
    const std::size_t icmp =
        next == pim ? header : header + std::size_t{8} * (octets[header + 1] + std::size_t{1});
    if (icmp + 4 > end) return;
    const auto message = std::span(octets).first(end).subspan(icmp);
    test::Octets pseudo(octets.begin() + 8, octets.begin() + header);
    test::append(pseudo, message.size(), 4);
    test::append(pseudo, next, 4);
    write_16(&message[2], 0);
    test::append(pseudo, message);
    write_16(&message[2], test::checksum_of(pseudo));
}

void mend(test::Octets& octets) {
    if (octets.size() < 24) return;
    if (octets[0] >> 4 == 4) mend_ipv4(octets);
    if (octets[0] >> 4 == 6) mend_ipv6(octets);
}

MembershipMessage::Kind read_alone(std::span<const uint8_t> octets) {
    const test::Fenced fenced(octets);
    const MembershipMessage message = read_membership(fenced.octets());
    std::size_t changes = 0;
    message.for_each_change([&](const MembershipChange& change) {
        ++changes;
        require(protocol_of(change.group) == message.protocol && !goes_to_all(change.group));
    });
    require(changes == 0 || message.kind == MembershipMessage::Kind::report);
    require(changes * 8 <= octets.size());
    return message.kind;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using Kind = MembershipMessage::Kind;
    std::span<const uint8_t> input(data, size);
    const Settings settings = listening();
    VlanTable vlans;
    const Aggregations aggregations;
    vlans.configure(settings);
    Multicast multicast(settings);
    multicast.shard(0).adopt(settings, {vlans, aggregations});
    const Memberships& kept = multicast.memberships();
    Nanos now(1'000'000'000);
    multicast.housekeep(0b1111, now);
    while (input.size() >= 2) {
        const uint8_t what = input[0];
        const std::size_t length = std::min<std::size_t>(input[1], input.size() - 2);
        test::Octets octets(input.begin() + 2, input.begin() + 2 + static_cast<long>(length));
        input = input.subspan(2 + length);
        if ((what & 0x80) != 0) mend(octets);

        const Kind kind = read_alone(octets);
        const auto port = static_cast<PortIndex>(what & 0x03);
        const MacAddress to = (what & 0x40) != 0 ? test::mld_routers : test::igmp_routers;
        test::Octets whole(14);
        test::append(whole, octets);
        Frame frame{};
        frame.data = whole.data();
        frame.length = static_cast<uint16_t>(whole.size());
        frame.set_input(port);
        frame.vlan = 1;
        frame.network_offset = 14;
        PortSet outputs = 0b1111 & ~only(port);
        const uint64_t groups = kept.groups().size();
        const PortSet routers = kept.routers(1);
        const Drop why = multicast.shard(0).filter(frame, Fdb::key_of(1, to), now, outputs);
        require((outputs & only(port)) == 0);
        multicast.take_news([&](const MembershipNews& news) {
            const bool is_query = news.kind == MembershipNews::Kind::query;
            require(news.vlan == 1 && news.port == port &&
                    kind == (is_query ? Kind::query : Kind::report));
            require(news.address != GroupSource{} &&
                    (news.address.high == 0 || news.protocol == GroupProtocol::mld));
            require(news.interval_s <= 31744 && (is_query || news.interval_s == 0));
        });
        require((kind == Kind::damaged) == (why == Drop::membership_damaged));
        if (kind != Kind::report) require(kept.groups().size() == groups);
        if (kind != Kind::query && kind != Kind::announcement) require(kept.routers(1) == routers);
        require(kept.groups().size() <= capacity);
        require(kept.sources() <= 4 * capacity);
        if ((what & 0x04) != 0) multicast.housekeep(0b1111 & ~only(port), now);
        if ((what & 0x08) != 0) now += Nanos(3'000'000'000);
        if ((what & 0x10) != 0) now += Nanos(100'000'000'000);
        multicast.housekeep(0b1111, now);
    }
    now += Nanos(300'000'000'000);
    for (int poll = 0; poll < 1000; ++poll) multicast.housekeep(0b1111, now);
    require(kept.groups().size() == 1 && kept.routers(1) == 0 && kept.sources() == 0);
    return 0;
}
