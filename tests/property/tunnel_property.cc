// What must hold of any frame and any tunnel:
//   whole    what went in comes out as it was, whatever ECN it has
//   inside   of any beginning of it, and with any bit of it changed, nothing beyond its end is
//            read, and what is carried lies inside
//   apart    of several networks by VLAN each has what is its own
//   one way  a changed bit of the headers that say so makes it another's, or refused
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <variant>
#include <vector>

#include "dataplane/forward/flow.h"
#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/property/draw.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"

namespace sluice::property {
namespace {

struct Drawn {
    Decapsulator there;
    test::Octets inner;
    test::Octets outer;
};

test::Octets draw_inner() {
    auto inner = *rc::gen::container<test::Octets>(between<std::size_t>(14, 300),
                                                   rc::gen::arbitrary<uint8_t>());
    if (between<int>(0, 3) != 0) {
        write_16(&inner[12], one_of<uint16_t>({0x0800, 0x86DD, 0x8100, 0x88A8, 0x8808}));
        if (inner.size() > 14) inner[14] = one_of<uint8_t>({0x45, 0x46, 0x60, 0x00});
    }
    return inner;
}

Ipv6Address draw_ipv6() {
    Ipv6Address address;
    for (uint8_t& octet : address.octets) octet = between<uint8_t>(0, 255);
    return address;
}

// The two ends of a tunnel.
struct Pair {
    Encapsulation here;
    Encapsulation there;
};

Pair draw_vxlan(const UnderlayAddresses& here, const UnderlayAddresses& there) {
    const auto vni = between<uint32_t>(1, highest_vni);
    return {VxlanTunnel{there.ipv4, vni}, VxlanTunnel{here.ipv4, vni}};
}

Pair draw_vxlan6(const UnderlayAddresses& here, const UnderlayAddresses& there) {
    const auto vni = between<uint32_t>(1, highest_vni);
    return {Vxlan6Tunnel{there.ipv6, vni}, Vxlan6Tunnel{here.ipv6, vni}};
}

Pair draw_srv6() {
    Srv6Tunnel tunnel{.count = 1, .reduced = between<int>(0, 1) == 1};
    tunnel.segments[0] = draw_ipv6();
    return {tunnel, Srv6Tunnel{.local_sid = tunnel.segments[0]}};
}

Pair draw_mpls() {
    const auto label = between<uint32_t>(lowest_label, highest_label);
    const MplsTunnel tunnel{.labels = {label},
                            .count = 1,
                            .control_word = between<int>(0, 1) == 1,
                            .entropy_label = between<int>(0, 1) == 1};
    return {tunnel, MplsTunnel{.control_word = tunnel.control_word, .local_label = label}};
}

UnderlayAddresses draw_addresses() {
    return {.mac = {between<uint64_t>(0, 0x00FF'FFFF'FFFF)},
            .ipv4 = {between<uint32_t>(1, UINT32_MAX)},
            .ipv6 = draw_ipv6()};
}

enum class Kind : uint8_t { vxlan, vxlan6, srv6, mpls };
static_assert(std::variant_size_v<Encapsulation> == 4,
              "draw the kind that was added: a kind is whole when what goes in comes out");

Drawn draw(Kind kind) {
    const UnderlayAddresses here = draw_addresses();
    const UnderlayAddresses there = draw_addresses();
    const Pair pair = kind == Kind::vxlan    ? draw_vxlan(here, there)
                      : kind == Kind::vxlan6 ? draw_vxlan6(here, there)
                      : kind == Kind::srv6   ? draw_srv6()
                                             : draw_mpls();
    Drawn drawn{.there = Decapsulator(there), .inner = draw_inner(), .outer = {}};
    drawn.there.add(pair.there);
    const Encapsulator encapsulator(pair.here, here, {}, between<uint64_t>(0, UINT32_MAX));
    drawn.outer = test::encapsulated(encapsulator, drawn.inner, between<Priority>(0, 7), there.mac);
    return drawn;
}

Kind draw_kind() { return one_of<Kind>({Kind::vxlan, Kind::vxlan6, Kind::srv6, Kind::mpls}); }

RC_GTEST_PROP(Tunnel, APlainHeaderNamesItsFlowAsAnyOther, ()) {
    auto inner = *rc::gen::container<test::Octets>(between<std::size_t>(38, 100),
                                                   rc::gen::arbitrary<uint8_t>());
    inner[14] = 0x45;
    write_16(&inner[20], one_of<uint16_t>({0, 0x4000, 0x2000, 0x0001}));
    inner[23] = one_of<uint8_t>({1, 6, 17});
    const auto seed = between<uint64_t>(0, UINT32_MAX);
    const Fdb::Key nobody = Fdb::key_of(VlanId{0}, MacAddress{});
    RC_ASSERT(Flow::of_plain_ipv4(&inner[14], seed) ==
              Flow(DistributionHash::l4, seed)(nobody, nobody, inner, 14));
}

RC_GTEST_PROP(Tunnel, GivesBackWhatWentIn, ()) {
    const Kind kind = draw_kind();
    Drawn drawn = draw(kind);
    // MPLS does not say where padding begins.
    const std::size_t padding = kind == Kind::mpls ? 0 : between<std::size_t>(0, 20);
    drawn.outer.resize(drawn.outer.size() + padding);
    const Arrival arrival = drawn.there.look(drawn.outer);
    RC_ASSERT(arrival.kind == ArrivalKind::carried);
    const auto carried = std::span(drawn.outer).subspan(arrival.offset, arrival.length);
    RC_ASSERT(std::ranges::equal(carried, drawn.inner));
}

RC_GTEST_PROP(Tunnel, ReadsNothingBeyondAFrameThatIsCutOrChanged, ()) {
    Drawn drawn = draw(draw_kind());
    const auto octets = static_cast<int64_t>(drawn.outer.size());
    const auto bit = between<std::size_t>(0, octets * 8 - 1);
    if (between<int>(0, 1) == 0) drawn.outer[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    drawn.outer.resize(between<std::size_t>(0, octets));
    test::Fenced frame(drawn.outer);
    const Arrival arrival = drawn.there.look(frame.to_write());
    RC_CLASSIFY(arrival.kind == ArrivalKind::refused, "refused");
    RC_ASSERT((arrival.kind == ArrivalKind::refused) == (arrival.why != Refusal::none));
    if (arrival.kind != ArrivalKind::carried) return;
    RC_ASSERT(arrival.length >= 14);
    RC_ASSERT(std::size_t{arrival.offset} + arrival.length <= drawn.outer.size());
}

RC_GTEST_PROP(Tunnel, TakesNoFrameWhoseVxlanHeadersWereChanged, ()) {
    Drawn drawn = draw(Kind::vxlan);
    // Octets that are checked: not the source MAC, the UDP source port and checksum, and VXLAN's
    // reserved fields.
    const auto at = one_of<std::size_t>(
        {0, 5, 12, 14, 16, 17, 20, 21, 22, 23, 24, 25, 26, 29, 30, 33, 36, 37, 38, 39, 46, 47, 48});
    drawn.outer[at] ^= static_cast<uint8_t>(1U << between<int>(0, 7));
    RC_ASSERT(drawn.there.look(drawn.outer).kind != ArrivalKind::carried);
}

RC_GTEST_PROP(Tunnel, TakesNoFrameWhoseHeadersOfVxlanOverIpv6WereChanged, ()) {
    Drawn drawn = draw(Kind::vxlan6);
    // Octets that are checked: not the source MAC, traffic class, flow label and hop limit, the UDP
    // source port and checksum, and VXLAN's reserved fields.
    const auto at = one_of<std::size_t>(
        {0, 5, 12, 18, 19, 20, 22, 29, 37, 38, 45, 53, 56, 57, 58, 59, 66, 67, 68});
    drawn.outer[at] ^= static_cast<uint8_t>(1U << between<int>(0, 7));
    RC_ASSERT(drawn.there.look(drawn.outer).kind != ArrivalKind::carried);
}

// Each VTEP that gets floods receives one copy of a flood, which its own end accepts; no other VTEP
// receives any, in whatever order VTEPs came and went.
RC_GTEST_PROP(Tunnel, AFloodReachesEachVtepOnce, ()) {
    const UnderlayAddresses here = draw_addresses();
    const auto vni = between<uint32_t>(1, highest_vni);
    const auto vteps =
        std::make_unique<Vteps>(VlanVni{.vni = vni}, 16, true, between<uint64_t>(0, UINT32_MAX));
    std::map<uint32_t, bool> wanted;  // whether it gets floods
    const auto steps = between<int>(1, 60);
    for (int step = 0; step < steps; ++step) {
        const uint32_t remote = between<uint32_t>(1, 40);
        if (between<int>(0, 3) == 0) {
            if (const auto id = vteps->from({remote})) vteps->remove(*id);
            wanted.erase(remote);
            continue;
        }
        wanted[remote] = between<int>(0, 3) != 0;
        const auto id = vteps->add({remote});
        RC_ASSERT(id.has_value());
        vteps->set_flooded(*id, wanted[remote]);
        vteps->set_next_hop(*id, {remote});
    }
    const Encapsulator encapsulator(VxlanTunnel{{}, vni}, here, {}, 1);
    const test::Octets inner = draw_inner();
    std::map<uint32_t, int> copies;
    for (std::size_t slot = vteps->next_flooded(0, vteps->added()); slot != Vteps::none;
         slot = vteps->next_flooded(slot + 1, vteps->added())) {
        const VtepWay way = vteps->way(slot);
        test::Octets octets(vxlan_octets);
        octets.insert(octets.end(), inner.begin(), inner.end());
        Frame frame{};
        frame.data = octets.data();
        frame.length = static_cast<uint16_t>(octets.size());
        encapsulator.write_each({&frame, 1}, {&way, 1});
        Decapsulator there({.mac = way.next_hop, .ipv4 = way.remote});
        there.add(VxlanTunnel{here.ipv4, vni});
        const Arrival arrival = there.look(octets);
        RC_ASSERT(arrival.kind == ArrivalKind::carried);
        const auto carried = std::span(octets).subspan(arrival.offset, arrival.length);
        RC_ASSERT(std::ranges::equal(carried, inner));
        ++copies[way.remote.bits];
    }
    for (const auto& [remote, floods] : wanted) RC_ASSERT(copies[remote] == (floods ? 1 : 0));
    for (const auto& [remote, count] : copies) RC_ASSERT(count == 0 || wanted.contains(remote));
}

// With several networks by VLAN, addresses are known by VLAN, and an arriving frame belongs to the
// network of its VNI, if its VTEP belongs to that network.
RC_GTEST_PROP(Tunnel, KeepsNetworksApart, ()) {
    std::map<VlanId, uint32_t> networks;
    std::set<uint32_t> vnis;
    for (int n = between<int>(1, 20); n > 0; --n) {
        const auto vni = between<uint32_t>(1, 40);
        if (vnis.insert(vni).second) networks.emplace(between<VlanId>(1, 4094), vni);
    }
    std::vector<VlanVni> list;
    for (const auto& [vlan, vni] : networks) list.push_back({vlan, vni});
    const Bundle bundle(list, 256, true, between<uint64_t>(0, UINT32_MAX));
    std::map<std::pair<VlanId, uint64_t>, uint32_t> known;
    for (int step = between<int>(0, 60); step > 0; --step) {
        const VlanId vlan =
            list[between<std::size_t>(0, static_cast<int64_t>(list.size()) - 1)].vlan;
        const MacAddress station{between<uint64_t>(1, 10) << 1};
        const auto remote = between<uint32_t>(1, 10);
        Vteps& network = *bundle.of_vlan(vlan);
        network.learn(station, *network.add({remote}));
        known[{vlan, station.bits}] = remote;
    }
    const UnderlayAddresses here = draw_addresses();
    Decapsulator decapsulator(here);
    decapsulator.add(VxlanTunnel{}, &bundle);
    const MacAddress station{between<uint64_t>(1, 10) << 1};
    const auto remote = between<uint32_t>(1, 10);
    for (VlanId vlan = 1; vlan < 4095; ++vlan) {
        if (!networks.contains(vlan)) RC_ASSERT(bundle.of_vlan(vlan) == nullptr);
    }
    for (uint32_t vni = 1; vni <= 40; ++vni) {
        const auto of = std::ranges::find(list, vni, &VlanVni::vni);
        test::Octets inner = draw_inner();
        test::Octets outer =
            test::encapsulated(Encapsulator(VxlanTunnel{here.ipv4, vni}, {.ipv4 = {remote}}, {}, 1),
                               inner, 0, here.mac);
        const Arrival arrival = decapsulator.look(outer);
        if (of == list.end()) {
            RC_ASSERT(arrival.why == Refusal::unknown_vni);
            continue;
        }
        Vteps& network = *bundle.of_vlan(of->vlan);
        const auto from = network.from({remote});
        const auto at = known.find({of->vlan, station.bits});
        const auto behind = network.behind(station);
        RC_ASSERT(behind.has_value() == (at != known.end()));
        if (behind) RC_ASSERT(network.way(Vteps::slot_of(*behind)).remote.bits == at->second);
        if (!from) {
            RC_ASSERT(arrival.why == Refusal::other_source);
        } else if (is_tag(read_16(&inner[12]))) {
            RC_ASSERT(arrival.why == Refusal::inner_tag);
        } else {
            RC_ASSERT(arrival.kind == ArrivalKind::carried);
            RC_ASSERT(&bundle[arrival.network] == &network);
            RC_ASSERT(arrival.vtep == *from);
        }
    }
}

// Octets of the destination, and fields of the segment list or the label stack.
RC_GTEST_PROP(Tunnel, TakesNoFrameOfAnotherSidOrLabel, ()) {
    const Kind kind = one_of<Kind>({Kind::srv6, Kind::mpls});
    Drawn drawn = draw(kind);
    const bool has_entropy = kind == Kind::mpls && read_32(&drawn.outer[14]) >> 12 == 7;
    const std::size_t label = has_entropy ? 22 : 14;
    const auto at = kind == Kind::srv6 ? one_of<std::size_t>({0, 5, 12, 20, 38, 45, 53})
                                       : one_of<std::size_t>({0, 5, 12, label, label + 1});
    drawn.outer[at] ^= static_cast<uint8_t>(1U << between<int>(0, 7));
    RC_ASSERT(drawn.there.look(drawn.outer).kind != ArrivalKind::carried);
}

}  // namespace
}  // namespace sluice::property
