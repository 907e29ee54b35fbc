// Outputs that are more than a port: whatever aggregations, mirrors and MTUs there are, as long as
// nothing is dropped for want of room:
//   aggregation  one member at the most sends a frame, and none of that which it came by
//   mirror       its port sends a frame once if it looks at where that came in or went out; of a
//                frame lost because its output's link went down while it waited, one at the most
//   MTU          nobody sends what is too long for him
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <map>

#include "dataplane/forward/distribution_hold.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using namespace literals;

constexpr PortIndex sniffer = 6;  // of seven ports the last

struct Seen {
    PortIndex input = 0;
    PortSet sent_by = 0;
    bool twice = false;
};

// Ports in up to two aggregations.
std::vector<AggregationSettings> draw_aggregations() {
    std::vector<AggregationSettings> all;
    const auto first = between<PortSet>(0, 0b11'1111);
    const PortSet second = between<PortSet>(0, 0b11'1111) & ~first;
    for (const PortSet members : {first, second}) {
        const auto hash =
            one_of({DistributionHash::l2, DistributionHash::l3, DistributionHash::l4});
        if (members != 0) all.push_back({.members = members, .hash = hash});
    }
    return all;
}

RC_GTEST_PROP(Outputs, AreThoseOfBridgePortsAndMirrors, ()) {
    Settings settings = test::settings_of(sniffer + 1, between<uint8_t>(1, 3));
    settings.aggregations = draw_aggregations();
    const bool mirrors = between<int>(0, 1) == 1;
    const MirrorSettings mirror{
        .from = between<PortSet>(1, 0b11'1111),
        .direction =
            one_of({MirrorDirection::ingress, MirrorDirection::egress, MirrorDirection::both}),
        .to = sniffer};
    if (mirrors) settings.mirrors = {mirror};
    for (PortSettings& port : settings.ports) port.max_frame = one_of({1522_B, 1522_B, 600_B});
    settings.ports[sniffer].max_frame = 1522_B;

    test::Rig rig(settings);
    std::map<uint32_t, Seen> seen;
    rig.ports.on_sent = [&](PortIndex output, const Frame& frame) {
        Seen& of = seen[static_cast<test::Buffer*>(frame.handle)->number];
        of.input = frame.input;
        of.twice |= (of.sent_by & only(output)) != 0;
        of.sent_by |= only(output);
        RC_ASSERT(frame.size() <= settings.ports[output].max_frame);
    };
    for (int burst = between<int>(1, 20); burst > 0; --burst) {
        const auto input = between<PortIndex>(0, sniffer);
        if (between<int>(0, 4) == 4) {
            rig.dataplane.set_link(between<PortIndex>(0, sniffer - 1), between<int>(0, 1) == 1);
        }
        std::vector<test::Octets> octets(between<std::size_t>(1, 8));
        for (test::Octets& one : octets) one = draw_frame(sniffer + 1);
        rig.receive(input, std::move(octets));
        rig.run();
        rig.housekeep();
    }
    // Frames that wait for a member that was added, to keep flows in order.
    for (int turn = 0; turn < 3; ++turn) {
        rig.now += DistributionHold::longest;
        rig.run();
        rig.housekeep();
    }
    RC_ASSERT(rig.at_rest());
    uint64_t went_down = 0;
    for (PortIndex port = 0; port < sniffer; ++port) {
        const PortCounters& of = rig.dataplane.counters(port);
        went_down += of.drops.of(Drop::egress_down) + of.egress_drops.of(Drop::egress_down);
    }

    uint64_t copied_alone = 0;  // for an output that went down before it sent
    for (const auto& [number, of] : seen) {
        RC_ASSERT(!of.twice);
        PortSet own = of.sent_by;
        if (mirrors) own &= ~only(sniffer);
        if (mirrors) {
            const bool taken =
                mirror.direction != MirrorDirection::egress && (mirror.from & only(of.input)) != 0;
            const bool sent =
                mirror.direction != MirrorDirection::ingress && (mirror.from & own) != 0;
            const bool copied = (of.sent_by & only(sniffer)) != 0;
            RC_ASSERT(copied || !(taken || sent));
            if (copied && (own == 0 || !(taken || sent))) ++copied_alone;
        }
        for (const AggregationSettings& aggregation : settings.aggregations) {
            const bool came_by_it = (aggregation.members & only(of.input)) != 0;
            RC_ASSERT(std::popcount(own & aggregation.members) <= (came_by_it ? 0 : 1));
        }
        RC_ASSERT((own & only(of.input)) == 0U);
    }
    RC_ASSERT(copied_alone <= went_down);
}

}  // namespace
}  // namespace sluice::property
