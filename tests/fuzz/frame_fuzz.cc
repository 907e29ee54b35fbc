// Whatever octets arrive, on whatever port: nothing is read beyond a frame's end, and afterwards
// every frame is accounted for and every buffer given back.
//
// The first octet chooses the settings. Then come records: an octet that says which port and what
// happens after, an octet of length, and as many octets of the frame.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "dataplane/ingress/parse.h"
#include "tests/fuzz/records.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace {

using namespace sluice;

Settings settings_from(uint8_t choice) {
    Settings settings = test::settings_of(4, (choice & 0x01) != 0 ? 2 : 1);
    settings.buffer.size = Bytes(32 * 1024);
    settings.fabric.bypass = std::popcount(choice) % 2 == 0;
    if ((choice & 0x02) != 0) settings.fdb.static_entries.clear();
    settings.vlan.filtering = (choice & 0x04) != 0;
    settings.vlan.unflooded[10] = settings.vlan.unlearned[20] = true;
    settings.ports[3].sticky = true;
    if ((choice & 0x06) == 0x06) settings.fdb.moves = Moves::refuse;
    settings.vlan.members.fill(0b0111);
    if (settings.vlan.filtering) {  // port 0 as it came, 1 without tags, 2 with the provider's
        settings.ports[1].tagging.aware = settings.ports[2].tagging.aware = true;
        settings.ports[2].tagging.type = TagType::service;
        settings.vlan.untagged.fill(0b0010);
    }
    if ((choice & 0x02) != 0) {
        settings.multicast.snooping.fill(only_protocol(GroupProtocol::igmp) |
                                         only_protocol(GroupProtocol::mld));
        settings.multicast.groups = {{.vlan = 1, .address = {0x01005E010203}, .ports = 0b0011}};
    }
    if ((choice & 0x10) != 0) settings.aggregations = {{.members = 0b0011}};
    if ((choice & 0x20) != 0) settings.mirrors = {{.from = 0b0101, .to = 3}};
    settings.ports[1].max_frame = Bytes(300);
    for (PortSettings& port : settings.ports) {
        port.storm_control = {.in_frames = true, .rate = {100, 100'000, 1000}};
        port.pfc.lossless = (choice & 0x08) != 0 ? 0b0000'1001 : 0;
        port.pfc.xoff = Bytes(1024);
        port.pfc.xon = Bytes(512);
        port.pfc.headroom = Bytes(2048);
        port.pfc.watchdog.action = WatchdogAction::drop;
        port.ecn[0] = {Bytes(256), Bytes(1024), 65536};
        if ((choice & 0x10) != 0) port.scheduler.discipline.fill(Discipline::dwrr);
        if ((choice & 0x20) != 0) port.rate = BitsPerSecond(1'000'000'000);
        if ((choice & 0x40) != 0) port.max_frame = Bytes(100);
        if ((choice & 0x80) != 0) {
            port.classify.order = {PrioritySource::roce, PrioritySource::application,
                                   PrioritySource::dscp, PrioritySource::traffic_class};
            port.classify.applications[0] = {ApplicationSelector::port, 4791, 3};
            port.classify.applications[1] = {ApplicationSelector::dscp, 46, 5};
            port.classify.application_count = 2;
            port.scheduler.traffic_class = {0, 0, 0, 3, 3, 5, 5, 7};
            port.remark.pcp.fill(5);
            port.remark.dscp.fill(26);
        }
    }
    // All four formats, and two ports of 16-bit ids that may talk to each other.
    if ((choice & 0xC0) == 0xC0) {
        settings.fdb.static_entries.clear();
        for (PortIndex port = 0; port < 4; ++port) settings.ports[port].format = presets[port];
        if ((choice & 0x20) != 0) settings.ports[0].format = presets[3];
        if ((choice & 0x10) != 0) settings.ports[1].format = presets[2];
    }
    return settings;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void parse_alone(std::span<const uint8_t> octets) {
    const test::Fenced frame(octets);
    Headers headers;
    const Drop verdict = parse(frame.octets(), headers);
    if (verdict != Drop::none) return;
    require(octets.size() >= 14);
    require(headers.vlan < max_vlans && headers.pcp < 8 && headers.dscp < 64);
    require(!headers.source.is_group());
    require(headers.network_offset == 0 || octets.size() >= headers.network_offset + 20U);
}

// A format that the octets describe, where it contradicts nothing.
FrameFormat format_from(std::span<const uint8_t> octets) {
    const auto octet = [&](std::size_t index) {
        return octets.empty() ? uint16_t{0} : uint16_t{octets[index % octets.size()]};
    };
    FrameFormat format = presets[octet(0) % presets.size()];
    format.destination = {octet(1), octet(2), octet(3)};
    format.source = {octet(4), octet(5), octet(6)};
    format.traffic_class.offset = octet(7);
    format.key_word.offset = octet(8);
    format.header = Bytes(octet(9) % 80);
    format.learns = false;
    return format;
}

void parse_described(const FrameFormat& described, std::span<const uint8_t> octets) {
    if (!is_sound(described)) return;
    const test::Fenced frame(octets);
    control_of(frame.octets());
    Headers headers;
    const Drop verdict = parse(Format(described), frame.octets(), headers);
    const bool has_header = Bytes(static_cast<int64_t>(octets.size())) >= described.header;
    require(has_header || verdict == Drop::runt);
    if (verdict != Drop::none) return;
    require((headers.destination.bits & ~(uint64_t{1} << 40)) <=
                described.destination.significant() ||
            !has_ids(described.family));
    require(headers.vlan < max_vlans && headers.pcp < 8 && headers.dscp < 64);
    is_roce(frame.octets(), headers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const uint8_t> input(data, size);
    if (input.empty()) return 0;
    test::Rig rig(settings_from(input.front()));
    test::for_each_record(input.subspan(1), [&](uint8_t what, std::span<const uint8_t> octets) {
        parse_alone(octets);
        for (const FrameFormat& preset : presets) parse_described(preset, octets);
        parse_described(format_from(octets), octets);
        const auto port = static_cast<PortIndex>(what & 0x03);
        const std::size_t copies = (what & 0x04) != 0 ? 16 : 1;
        rig.receive(port, std::vector(copies, test::Octets(octets.begin(), octets.end())));
        if ((what & 0x08) != 0) rig.slot();
        if ((what & 0x10) != 0) rig.transmit(static_cast<PortIndex>((what >> 5) & 0x03), 3);
        if ((what & 0x20) != 0) rig.send_pause_frame(port);
        if ((what & 0x40) != 0) rig.dataplane.set_link(port, !rig.dataplane.link(port));
        rig.now += Nanos(1000 * (what >> 4));
    });
    for (PortIndex port = 0; port < 4; ++port) rig.dataplane.set_link(port, true);
    // Pauses last 3.4 ms at the most, and a shaped port needs its time.
    for (int poll = 0; poll < 5000 && !rig.dataplane.empty(); ++poll) {
        rig.now += Nanos(1'000'000);
        rig.poll();
    }
    require(rig.at_rest());
    return 0;
}
