// What-if predicts where a frame goes: for whatever configuration and frame, the same outputs, tags
// and lengths, or the same reason, that the frame then meets.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

#include "dataplane/trace/what_if.h"
#include "tests/property/draw.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::Octets;
using test::Rig;
using test::station;

constexpr std::size_t ports = 6;

PortSet any_ports() { return *rc::gen::inRange<PortSet>(0, PortSet{1} << ports); }
bool now_and_then(int of) { return *rc::gen::inRange(0, of) == 0; }
VlanId any_vlan() { return *rc::gen::inRange<VlanId>(1, 4); }

Settings any_settings() {
    Settings settings = test::settings_of(ports, *rc::gen::element<uint8_t>(1, 2));
    settings.fdb.moves = *rc::gen::element(Moves::follow, Moves::refuse);
    settings.vlan.filtering = *rc::gen::arbitrary<bool>();
    for (VlanId vlan = 1; vlan < 4; ++vlan) {
        settings.vlan.members[vlan] = any_ports() | any_ports();
        settings.vlan.untagged[vlan] = any_ports();
        if (now_and_then(4)) settings.vlan.unflooded.set(vlan);
        if (now_and_then(4)) settings.vlan.unlearned.set(vlan);
    }
    for (PortSettings& port : settings.ports) {
        port.default_vlan = any_vlan();
        port.tagging.aware = *rc::gen::arbitrary<bool>();
        port.tagging.type = *rc::gen::element(TagType::customer, TagType::service);
        port.tagging.accept = now_and_then(3)
                                  ? *rc::gen::element(FrameTypes::tagged, FrameTypes::untagged)
                                  : FrameTypes::all;
        port.isolated = now_and_then(4);
        port.sticky = now_and_then(6);
        port.max_frame = Bytes(*rc::gen::element(70, 100, 1522));
        port.dcbx_defence = now_and_then(6) ? 0b1000 : 0;
        port.classify.default_priority = *rc::gen::inRange<Priority>(0, 8);
    }
    if (now_and_then(3)) {
        settings.aggregations.push_back(
            {.members = 0b11'0000,
             .hash = *rc::gen::element(DistributionHash::l2, DistributionHash::l4)});
        settings.ports[5].tagging = settings.ports[4].tagging;
    }
    if (now_and_then(3)) {
        settings.mirrors.push_back(
            {.from = any_ports() & ~only(PortIndex{3}),
             .direction = *rc::gen::element(MirrorDirection::ingress, MirrorDirection::egress),
             .to = 3,
             .bridged = *rc::gen::arbitrary<bool>()});
    }
    // A group that is written has a port at least.
    if (const PortSet some = any_ports(); some != 0 && now_and_then(3)) {
        settings.multicast.groups.push_back(
            {.vlan = 1, .address = MacAddress{0x0100'5E01'0101}, .ports = some});
    }
    return settings;
}

Octets any_frame() {
    const MacAddress to =
        *rc::gen::element(station(0), station(1), station(2), station(4), station(9),
                          test::broadcast, MacAddress{0x0100'5E01'0101});
    const MacAddress from = *rc::gen::element(station(0), station(1), station(8));
    test::FrameSpec spec{.to = to, .from = from};
    if (*rc::gen::arbitrary<bool>()) {
        spec.tag = test::Tag{.vlan = *rc::gen::inRange<VlanId>(0, 4),
                             .pcp = *rc::gen::inRange<uint8_t>(0, 8)};
    }
    spec.length = *rc::gen::element<std::size_t>(18, 60, 68, 98, 120);
    Octets octets = test::octets_of(spec);
    if (spec.tag && now_and_then(3)) octets[12] = 0x88, octets[13] = 0xA8;
    return octets;
}

std::string to_text(PortIndex output, std::size_t length) {
    return std::to_string(output) + " of " + std::to_string(length) + ", ";
}

RC_GTEST_PROP(WhatIf, SaysWhereTheFrameGoes, ()) {
    Rig rig(any_settings());
    const PortSet down = now_and_then(2) ? any_ports() : 0;
    for_each_port(down, [&](PortIndex port) { rig.dataplane.set_link(port, false); });
    rig.housekeep();
    for (int learned = *rc::gen::inRange(0, 6); learned > 0; --learned) {
        rig.receive(*rc::gen::inRange<PortIndex>(0, ports), {any_frame()});
        rig.run();
        rig.housekeep();
    }
    const auto port = *rc::gen::inRange<PortIndex>(0, ports);
    Octets octets = any_frame();
    // A frame to its own source finds itself once the address is learned, which takes a while with
    // workers.
    RC_PRE(read_address(octets.data()) != read_address(&octets[6]));

    const auto forwarding = rig.dataplane.forwarding_observer(rig.settings);
    const WhatIf::Discarding nobody{};
    WhatIf what_if(rig.settings, *forwarding, first_ports(ports) & ~down, nobody);
    const WhatIf::Answer answer = what_if(port, octets, rig.now, {});
    std::string predicted;
    for (std::size_t n = 0; n < answer.copy_count; ++n) {
        const WhatIf::Copy& copy = answer.copies[n];
        if (copy.why == Drop::none) predicted += to_text(copy.output, copy.length);
    }

    const DropCounters& drops = rig.dataplane.counters(port).drops;
    std::array<uint64_t, drop_reasons> before{};
    for (std::size_t n = 0; n < drop_reasons; ++n) before[n] = drops.of(static_cast<Drop>(n));
    for (PortIndex output = 0; output < ports; ++output) rig.sent_now(output);
    rig.receive(port, {octets});
    rig.run();
    std::string sent[2];  // mirrors behind the others
    for (PortIndex output = 0; output < ports; ++output) {
        for (const test::Departure& departure : rig.departures(output)) {
            const bool mirrored = (answer.frame.outputs & only(output)) == 0;
            sent[mirrored ? 1 : 0] += to_text(output, departure.octets().size());
        }
    }
    RC_ASSERT(predicted == sent[0] + sent[1]);
    if (answer.frame.why == Drop::none) return;
    std::string reasons;
    for (std::size_t n = 0; n < drop_reasons; ++n) {
        if (drops.of(static_cast<Drop>(n)) != before[n]) reasons += drop_names[n].name;
    }
    RC_ASSERT(reasons == std::string(name_of(answer.frame.why)));
}

}  // namespace
}  // namespace sluice
