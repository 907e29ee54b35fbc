// Draw: random settings, frames and actions for the property tests, so that rapidcheck can make a
// failing example smaller.
//
// Settings are valid in the sense of config: there is always something left to share.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <vector>

#include "dataplane/egress/scheduler.h"
#include "dataplane/types/settings.h"
#include "tests/support/membership_octets.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::property {

// [low, high], small ones first when an example shrinks.
template <class Number>
Number between(int64_t low, int64_t high) {
    return static_cast<Number>(*rc::gen::inRange<int64_t>(low, high + 1));
}
// Draws from the whole range in the first run as well: rapidcheck begins with small values.
template <class Number>
Number wide(int64_t low, int64_t high) {
    return static_cast<Number>(
        *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(low, high + 1)));
}
template <class Value>
Value one_of(std::initializer_list<Value> values) {
    return *rc::gen::elementOf(std::vector<Value>(values));
}

inline SchedulerSettings draw_scheduler() {
    SchedulerSettings scheduler;
    const Discipline shared = (*rc::gen::elementOf(SharingSchedulers::choices)).discipline;
    const auto strict = between<PrioritySet>(0, 255);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        const bool is_strict = (strict & only_priority(priority)) != 0;
        scheduler.discipline[priority] = is_strict ? Discipline::strict : shared;
        scheduler.weight[priority] = one_of<uint16_t>({1, 2, 7, 1000});
    }
    if (between<int>(0, 1) == 1) {
        for (uint8_t& number : scheduler.traffic_class) number = between<uint8_t>(0, 7);
    }
    return scheduler;
}

// Draws one of four groups, all of which IGMP could report.
inline MacAddress draw_group() { return {0x01005E010000 + between<uint64_t>(0, 3)}; }

// Draws settings that may change while a switch runs.
inline void draw_changeable(Settings& settings) {
    using namespace literals;
    const auto ports = static_cast<int64_t>(settings.ports.size());
    const auto inputs = ports + static_cast<int64_t>(settings.lanes.size());
    const auto voqs = inputs * ports * static_cast<int64_t>(max_priorities);
    settings.buffer.reserved =
        one_of({Bytes(0), settings.buffer.size / (4 * voqs), Bytes(settings.buffer.cell)});
    if (settings.buffer.reserved * (4 * voqs) > settings.buffer.size) {
        settings.buffer.reserved = Bytes(0);
    }
    settings.buffer.alpha_128 = one_of<uint32_t>({1, 16, 128, 1024, 16384});
    settings.fabric.iterations = between<uint8_t>(1, 4);
    settings.fabric.bypass = between<int>(0, 1) == 1;
    settings.latency_one_in = between<uint32_t>(0, 3);
    settings.fabric.quantum = one_of({1518_B, 4_KiB, 64_KiB});
    settings.fabric.algorithm = one_of({MatchingAlgorithm::islip, MatchingAlgorithm::serena});
    settings.fabric.rule = one_of({CrossbarRule::strict, CrossbarRule::weighted});
    for (uint8_t& weight : settings.fabric.weight) weight = between<uint8_t>(1, 15);
    settings.fdb.ageing = one_of({0_s, 1_s, 300_s});
    settings.fdb.when_full = one_of({WhenFull::flood, WhenFull::drop});
    settings.fdb.moves = one_of({Moves::follow, Moves::refuse});
    settings.vlan.unlearned[2] = between<int>(0, 3) == 3;
    settings.vlan.unflooded[3] = between<int>(0, 3) == 3;
    settings.vlan.filtering = between<int>(0, 4) == 4;
    for (VlanId vlan = 0; vlan < 4; ++vlan) {
        settings.vlan.members[vlan] = between<PortSet>(0, (int64_t{1} << ports) - 1);
        settings.vlan.untagged[vlan] = between<PortSet>(0, (int64_t{1} << ports) - 1);
    }
    settings.aggregations.clear();
    const auto aggregated = between<PortSet>(0, (int64_t{1} << ports) - 1);
    if (between<int>(0, 2) == 2 && aggregated != 0) {
        const auto hash =
            one_of({DistributionHash::l2, DistributionHash::l3, DistributionHash::l4});
        settings.aggregations = {{.members = aggregated, .hash = hash}};
    }
    for (VlanId vlan = 0; vlan < 4; ++vlan) {
        settings.multicast.snooping[vlan] = between<GroupProtocols>(0, 3);
    }
    settings.multicast.unregistered = one_of({Unregistered::flood, Unregistered::router_ports});
    settings.multicast.groups.clear();
    if (between<int>(0, 1) == 1) {
        settings.multicast.groups.push_back(
            {.vlan = between<VlanId>(1, 3), .address = draw_group(), .ports = 0b0011});
    }
    settings.mirrors.clear();
    for (int mirrors = between<int>(-2, 2); mirrors > 0; --mirrors) {
        settings.mirrors.push_back(
            {.from = between<PortSet>(1, (int64_t{1} << ports) - 1),
             .direction =
                 one_of({MirrorDirection::ingress, MirrorDirection::egress, MirrorDirection::both}),
             .to = between<PortIndex>(0, ports - 1),
             .bridged = between<int>(0, 1) == 1});
    }
    for (PortSettings& port : settings.ports) {
        port.speed = one_of({1_Gbps, 10_Gbps, 400_Gbps});
        port.rate = one_of({BitsPerSecond(0), BitsPerSecond(0), 100_Gbps, 1_Gbps});
        port.max_frame = one_of({1522_B, 9216_B, 300_B});
        port.default_vlan = between<VlanId>(1, 3);
        port.isolated = between<int>(0, 3) == 3;
        port.sticky = between<int>(0, 3) == 3;
        port.storm_control.in_frames = between<int>(0, 1) == 1;
        for (int64_t& rate : port.storm_control.rate)
            rate = one_of<int64_t>({0, 0, 1000, 1'000'000'000});
        port.tagging = {.aware = between<int>(0, 2) == 2,
                        .type = one_of({TagType::customer, TagType::service}),
                        .accept = one_of({FrameTypes::all, FrameTypes::all, FrameTypes::tagged,
                                          FrameTypes::untagged})};
        port.classify.order = {one_of({PrioritySource::pcp, PrioritySource::dscp}),
                               one_of({PrioritySource::pcp, PrioritySource::none})};
        port.remark.dscp[3] = one_of<uint8_t>({RemarkSettings::as_it_came, 26});
        port.remark.pcp[3] = one_of<uint8_t>({RemarkSettings::as_it_came, 5});
        port.classify.default_priority = between<Priority>(0, 7);
        for (Priority& priority : port.classify.pcp_to_priority) {
            priority = between<Priority>(0, 7);
        }
        port.scheduler = draw_scheduler();
        port.pfc.lossless = one_of<PrioritySet>({0, 0b0000'1000, 0b0001'1001, 0xFF});
        port.pfc.headroom =
            settings.buffer.size / (4 * ports * int64_t{max_priorities}) * between<int64_t>(0, 1);
        port.pfc.xoff = 1_KiB * between<int64_t>(0, 8);
        port.pfc.xon = port.pfc.xoff / between<int64_t>(1, 4);
        port.pfc.pause = one_of({1_quanta, 1000_quanta, 65535_quanta});
        port.pfc.reserved = one_of({0_B, 0_B, 2_KiB});
        port.pfc.alpha_128 = one_of<uint32_t>({0, 0, 32, 128});
        port.pfc.xon_offset = one_of({0_B, 1_KiB});
    }
}

// Draws settings of pauses, the watchdog and marking; the levels are those of draw_changeable.
inline void draw_reactions(Settings& settings) {
    using namespace literals;
    for (PortSettings& port : settings.ports) {
        port.pfc.trigger = one_of({PauseTrigger::ingress, PauseTrigger::egress});
        port.pfc.link_pause = between<int>(0, 1) == 0;
        port.pfc.rx_limit = one_of<uint32_t>({0, 1000});
        port.pfc.tx_limit = one_of<uint32_t>({0, 1000});
        port.pfc.watchdog = {.action = one_of({WatchdogAction::off, WatchdogAction::alert,
                                               WatchdogAction::drop, WatchdogAction::forward}),
                             .detection = one_of({1_ms, 200_ms}),
                             .restoration = one_of({1_ms, 200_ms}),
                             .longest_restoration = one_of({0_ms, 600_ms}),
                             .poll = 1_ms};
        for (EcnSettings& curve : port.ecn) {
            curve =
                one_of({EcnSettings{}, EcnSettings{0_B, 1_KiB, 65536},
                        EcnSettings{1_KiB, 8_KiB, 20000}, EcnSettings{1_KiB, 8_KiB, 20000, true}});
        }
        const PrioritySet trimmed = static_cast<PrioritySet>(~port.pfc.lossless & 0x3F);
        port.trim.priorities = one_of({PrioritySet{0}, trimmed});
        port.trim.size = one_of({78_B, 128_B});
        port.trim.dscp[0] = 4;
    }
}

inline Settings draw_settings() {
    using namespace literals;
    const auto ports = between<std::size_t>(2, 6);
    Settings settings = test::settings_of(ports, between<uint8_t>(1, 3));
    settings.buffer.size = one_of({16_KiB, 64_KiB, 1_MiB});
    settings.buffer.cell = one_of({1_B, 64_B, 256_B, 2_KiB});
    settings.fdb.capacity = 64;
    settings.fdb.hash_seed = between<uint64_t>(0, 3);
    if (between<int>(0, 1) == 0) settings.fdb.static_entries.clear();
    for (auto lanes = between<int>(0, 3); lanes > 0; --lanes) {
        const auto port = between<PortIndex>(0, static_cast<int64_t>(ports) - 1);
        settings.lanes.push_back({port, between<WorkerIndex>(0, settings.workers - 1)});
    }
    draw_changeable(settings);
    return settings;
}

inline test::Octets draw_frame(std::size_t ports) {
    if (between<int>(0, 15) == 15)
        return *rc::gen::container<test::Octets>(rc::gen::arbitrary<uint8_t>());
    const auto host = [&] {
        return test::station(between<unsigned>(0, static_cast<int64_t>(ports)));
    };
    if (between<int>(0, 15) == 15) {
        const auto type =
            one_of({test::igmp_query, test::igmp_report_1, test::igmp_report_2, test::igmp_leave});
        const auto group = 0xE1010000 + between<uint32_t>(0, 3);
        return test::framed(test::igmp(type, group), test::mac_of(group), host());
    }
    test::FrameSpec spec;
    spec.to = between<int>(0, 5) == 5 ? test::broadcast : host();
    if (between<int>(0, 5) == 5) spec.to = draw_group();
    spec.from = host();
    if (between<int>(0, 3) > 0) {
        spec.tag = test::Tag{.vlan = between<VlanId>(0, 3), .pcp = between<uint8_t>(0, 7)};
    }
    spec.length = one_of<std::size_t>({14, 60, 60, 64, 300, 1000, 1522, 9216});
    if (spec.length < 64 || between<int>(0, 3) > 0) return test::octets_of(spec);
    spec.ether_type = one_of<uint16_t>({0x0800, 0x86DD});
    test::Octets octets = test::octets_of(spec);
    const std::size_t network = spec.tag ? 18 : 14;
    octets[network] = spec.ether_type == 0x0800 ? 0x45 : 0x60;
    octets[network + 1] = between<uint8_t>(0, 255);  // of IPv4: DSCP and ECN
    return octets;
}

}  // namespace sluice::property
