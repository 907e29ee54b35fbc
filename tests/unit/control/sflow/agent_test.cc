#include "control/sflow/agent.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "control/sflow/discard.h"

namespace sluice::control::sflow {
namespace {

using namespace sluice::literals;
using Words = std::vector<uint32_t>;

constexpr Nanos start = 50_s;
constexpr std::size_t sample_at = 7;  // in words, of a datagram of an IPv4 agent

// An agent, and the 32-bit words of its datagrams.
struct Collector {
    Collector() {
        agent.set_address({192, 0, 2, 1});
        settings.ports.resize(4);
    }
    void add(FlowRecord record, std::vector<uint8_t> header = std::vector<uint8_t>(60),
             uint64_t drops = 0) {
        const auto port = static_cast<PortIndex>(record.input.number % 4);
        record.length = static_cast<uint16_t>(header.size());
        agent.add(settings, port, record, header, drops, start);
    }
    // The sample of one record alone.
    Words sample(const FlowRecord& record, std::vector<uint8_t> header = std::vector<uint8_t>(60)) {
        sent.clear();
        add(record, std::move(header));
        agent.flush(start);
        EXPECT_EQ(sent.size(), 1U);
        return {sent.at(0).begin() + sample_at + 2, sent.at(0).end()};
    }

    Settings settings;
    std::vector<Words> sent;
    Agent agent{[this](std::span<const uint8_t> octets) {
                    Words& words = sent.emplace_back();
                    for (std::size_t at = 0; at < octets.size(); at += 4) {
                        words.push_back(uint32_t{octets[at]} << 24 |
                                        uint32_t{octets[at + 1]} << 16 |
                                        uint32_t{octets[at + 2]} << 8 | octets[at + 3]);
                    }
                },
                start};
};

FlowRecord record_of(PortSet outputs, Drop reason = Drop::none) {
    return {.outputs = outputs,
            .pool = 1,
            .one_in = 100,
            .length = 60,
            .copied = 60,
            .vlan = 1,
            .input = 0,
            .priority = 0,
            .reason = reason};
}

// Places of words in a flow sample, and in the extended switch data behind 60 octets of header.
enum : std::size_t { sequence, source, rate, pool, drops, input, output, length = 11, stripped };
constexpr std::size_t extended = 10 + 4 + 15 + 2;

TEST(SflowAgent, CallsAPortByItsIfIndex) {
    Collector collector;
    collector.agent.set_interfaces({11, 12, 13, 14});
    const Words sample = collector.sample(record_of(only(3)));
    EXPECT_EQ(sample[source], 11U);
    EXPECT_EQ(sample[input], 11U);
    EXPECT_EQ(sample[output], 14U);
    EXPECT_EQ(sample[rate], 100U);
    EXPECT_EQ(sample[length], 64U) << "with the FCS";
    EXPECT_EQ(sample[stripped], 4U);
}

TEST(SflowAgent, SaysWhereAFrameWentOrWhyNowhere) {
    Collector collector;
    EXPECT_EQ(collector.sample(record_of(only(1) | only(2)))[output], 0x8000'0002U);
    EXPECT_EQ(collector.sample(record_of(0, Drop::over_threshold))[output], 0x4000'0103U);
    EXPECT_EQ(collector.sample(record_of(0, Drop::lldp))[output], 0x3FFF'FFFFU);
    EXPECT_EQ(collector.sample(record_of(0, Drop::mac_control))[output], 0x3FFF'FFFFU);
}

TEST(SflowAgent, HasTheCodeOfAReason) {
    EXPECT_EQ(discard_of(Drop::vlan_filtered), Discard::ingress_vlan_filter);
    EXPECT_EQ(discard_of(Drop::mtu_exceeded), Discard::packet_too_big);
    EXPECT_EQ(discard_of(Drop::storm_broadcast), Discard::traffic_shaping);
    EXPECT_EQ(discard_of(Drop::wred), Discard::red);
    EXPECT_EQ(discard_of(Drop::same_port), Discard::port_loopback_filter);
    EXPECT_EQ(discard_of(Drop::egress_down), Discard::unknown_l2);
    EXPECT_TRUE(is_error(Drop::runt));
    EXPECT_FALSE(is_error(Drop::over_threshold));
}

TEST(SflowAgent, CountsSamplesASourceAndDatagramsInAll) {
    Collector collector;
    EXPECT_EQ(collector.sample(record_of(only(1)))[sequence], 1U);
    EXPECT_EQ(collector.sample(record_of(only(1)))[sequence], 2U);
    FlowRecord other = record_of(only(1));
    other.input = 2;
    EXPECT_EQ(collector.sample(other)[sequence], 1U);
    EXPECT_EQ(collector.sent[0][4], 3U) << "of the datagram";
    EXPECT_EQ(collector.agent.datagrams(), 3U);
}

TEST(SflowAgent, AddsUpThePoolsOfLanes) {
    Collector collector;
    FlowRecord first = record_of(only(1));
    FlowRecord lane = first;
    lane.input = 4;  // a further lane of port 0
    first.pool = 100;
    lane.pool = 30;
    EXPECT_EQ(collector.sample(first)[pool], 100U);
    EXPECT_EQ(collector.sample(lane)[pool], 130U);
    first.pool = 150;
    EXPECT_EQ(collector.sample(first)[pool], 180U);
}

TEST(SflowAgent, SendsDropsAsTheyAre) {
    Collector collector;
    collector.add(record_of(only(1)), std::vector<uint8_t>(60), 17);
    collector.agent.flush(start);
    EXPECT_EQ(collector.sent.at(0).at(sample_at + 2 + drops), 17U);
}

TEST(SflowAgent, SendsVlanAndPriorityAsTheTagHasThem) {
    Collector collector;
    std::vector<uint8_t> tagged(60);
    tagged[12] = 0x81;
    tagged[14] = 5 << 5;
    FlowRecord record = record_of(only(1));
    record.vlan = 7;
    record.priority = 3;  // by its DSCP, say
    const auto switched = [&](std::vector<uint8_t> header) {
        const Words sample = collector.sample(record, std::move(header));
        return Words(sample.begin() + extended, sample.begin() + extended + 4);
    };
    EXPECT_EQ(switched(tagged), (Words{7, 5, 7, 5}));
    collector.settings.ports[0].classify.default_priority = 2;
    EXPECT_EQ(switched(std::vector<uint8_t>(60)), (Words{7, 2, 7, 3})) << "what a tag would have";
    collector.settings.ports[1].remark.pcp[3] = 6;
    EXPECT_EQ(switched(tagged), (Words{7, 5, 7, 6}));
    record.vlan = 0;
    EXPECT_EQ(switched(tagged), (Words{0, 0, 0, 0})) << "it was not classified";
}

TEST(SflowAgent, FillsADatagramBeforeItBeginsAnother) {
    Collector collector;
    for (int n = 0; n < 20; ++n) collector.add(record_of(only(1)), std::vector<uint8_t>(128));
    EXPECT_EQ(collector.sent.size(), 3U);
    collector.agent.flush(start + 2_s);
    ASSERT_EQ(collector.sent.size(), 4U);
    EXPECT_EQ(collector.sent[0][6], 6U);
    EXPECT_EQ(collector.sent[3][6], 2U);
    EXPECT_EQ(collector.sent[3][5], 2000U) << "uptime in ms";
    collector.agent.flush(start + 2_s);
    EXPECT_EQ(collector.sent.size(), 4U) << "an empty one is not sent";
}

TEST(SflowAgent, SpreadsCountersOverTheInterval) {
    Collector collector;
    collector.agent.set_polling(20_s, 4, start);
    std::array<std::vector<Nanos>, 4> due;
    for (Nanos now = start; now < start + 41_s; now += 1_s) {
        for (PortIndex port = 0; port < 4; ++port) {
            if (collector.agent.counters_are_due(port, now)) due[port].push_back(now - start);
        }
    }
    EXPECT_EQ(due[0], (std::vector{0_s, 20_s, 40_s}));
    EXPECT_EQ(due[1], (std::vector{5_s, 25_s}));
    EXPECT_EQ(due[3], (std::vector{15_s, 35_s}));
}

TEST(SflowAgent, WhoseCountersAreLateDoesNotCatchUp) {
    Collector collector;
    collector.agent.set_polling(10_s, 1, start);
    EXPECT_TRUE(collector.agent.counters_are_due(0, start));
    EXPECT_TRUE(collector.agent.counters_are_due(0, start + 95_s));
    EXPECT_FALSE(collector.agent.counters_are_due(0, start + 96_s));
    collector.agent.set_polling(Nanos(0), 1, start);
    EXPECT_FALSE(collector.agent.counters_are_due(0, start + 500_s));
}

}  // namespace
}  // namespace sluice::control::sflow
