// AFH frames with their own octets: what a switch reads of them, where they go and with which
// priority, and how long they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dataplane/ingress/format.h"
#include "dataplane/ingress/parse.h"
#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/network/frame_layout.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;

const std::vector<std::string> afh = {"afh_gen1",     "afh_gen2_16b", "afh_lite",
                                      "afh_gen2_32b", "ufh_16b",      "ufh_32b"};

TEST(FormatsTest, ASwitchReadsWhatAHostWrites) {
    for (const FrameFormat& format : presets) {
        const FrameHeader header = header_of({.format = format,
                                              .to = address_of(7),
                                              .from = source_of(9),
                                              .pcp = 5,
                                              .traffic_class = 0xA4,
                                              .tagged = format.ether_type});
        Headers headers;
        ASSERT_EQ(parse(Format(format), header, headers), Drop::none);
        EXPECT_EQ(headers.destination, entry_of(7, format));
        EXPECT_EQ(host_of(headers.destination), 7U);
        EXPECT_EQ(headers.source.bits,
                  source_of(9).bits & ((uint64_t{1} << format.source.width) - 1));
        EXPECT_EQ(headers.traffic_class, format.traffic_class.exists() ? 0xA4 : 0);
        EXPECT_EQ(headers.tagged, format.ether_type);
        EXPECT_EQ(headers.pcp, format.ether_type ? 5 : 0);
    }
}

TEST(FormatsTest, AnAnswerGoesBackToWhoSent) {
    for (const FrameFormat& format : presets) {
        Packet frame;
        std::ranges::copy(header_of({.format = format,
                                     .to = address_of(1),
                                     .from = source_of(0),
                                     .tagged = format.ether_type,
                                     .pair = 0x12345,
                                     .answers_to = address_of(0)}),
                          frame.octets.begin());
        EXPECT_EQ(answer_of(frame), Answer::none);
        Packet answer;
        write_answer(answer, Answer::acknowledgement, frame, answer_header(format, source_of(1), 6),
                     format);
        Headers headers;
        ASSERT_EQ(parse(Format(format), answer.octets, headers), Drop::none);
        EXPECT_EQ(host_of(headers.destination), 0U);
        EXPECT_EQ(answer_of(answer), Answer::acknowledgement);
        EXPECT_EQ(pair_of(answer), 0x12345U);
    }
}

TEST(FormatsTest, EachFrameGoesWhereItIsToGo) {
    for (const std::string& format : afh) {
        const NetworkResult result = run("switch: {defaults: {format: " + format + R"(}}
topology: {leaf_spine: {leaves: 2, spines: 2, hosts: 2}}
run: {time: 200us}
flows: [{from: all, to: all, rate: 2G, pattern: poisson}]
)");
        EXPECT_GT(result.flows[0].sent, 100U) << format;
        EXPECT_EQ(result.flows[0].received, result.flows[0].sent) << format << ": none is flooded";
        EXPECT_EQ(result.flows[0].lost, 0U) << format;
        EXPECT_TRUE(result.balanced()) << format;
    }
}

// Header, payload, ICRC and FCS as notes on RC Link count them, behind a preamble.
TEST(FormatsTest, FramesAreAsLongAsTheirHeaderHasThem) {
    const auto delay = [](const std::string& format, const std::string& flow) {
        return run("switch: {defaults: {format: " + format + "}}\ncable: {length: 0}\n" +
                   "topology: {star: {hosts: 2}}\nflows: [{from: h0, to: h1, rate: 1G" + flow +
                   "}]\n")
            .flows[0]
            .mean_delay_ns;
    };
    const auto octets = [](int64_t frame) { return 2 * 0.8 * static_cast<double>(frame + 8); };
    EXPECT_DOUBLE_EQ(delay("afh_gen1", ""), octets(26 + 1344 + 8));
    EXPECT_DOUBLE_EQ(delay("afh_gen1", ", tagged: false"), octets(22 + 1344 + 8));
    EXPECT_DOUBLE_EQ(delay("afh_gen2_16b", ", format: afh_gen2_16b"), octets(26 + 1344 + 8));
    EXPECT_DOUBLE_EQ(delay("afh_lite", ""), octets(12 + 1344 + 4));
    EXPECT_DOUBLE_EQ(delay("afh_lite", ", payload: 10B"), octets(64)) << "padded";
}

// Three hosts to one, of which a priority that is not lossless loses some.
NetworkResult to_one(const std::string& port, const std::string& flow) {
    return run("switch: {buffer: {size: 512KiB, alpha: 1/64}, defaults: {lossless: [3], " + port +
               "}}\ntopology: {star: {hosts: 4}}\nrun: {time: 2ms}\n"
               "flows: [{from: [h1, h2, h3], to: h0, " +
               flow + "}]\n");
}

TEST(FormatsTest, ATrafficClassOrATagDecidesThePriority) {
    for (const std::string& format : afh) {
        const std::string port = "format: " + format + ", tc_to_priority: {164: 3}";
        const std::string flow = format == "afh_lite" ? "" : "tagged: false, ";
        const NetworkResult lossless = to_one(port, flow + "traffic_class: 164");
        EXPECT_EQ(lossless.flows[0].lost, 0U) << format;
        EXPECT_GT(lossless.ports[1].tx_pause, 0U) << format;
        const NetworkResult lossy = to_one(port, flow + "traffic_class: 100");
        EXPECT_GT(lossy.flows[0].lost, 0U) << format;
        EXPECT_EQ(lossy.ports[1].tx_pause, 0U) << format;
    }
    for (const std::string format : {"afh_gen1", "afh_gen2_16b"}) {
        const NetworkResult lossless = to_one("format: " + format, "priority: 3");
        EXPECT_EQ(lossless.flows[0].lost, 0U) << format;
        EXPECT_GT(lossless.ports[1].tx_pause, 0U) << format;
        EXPECT_GT(to_one("format: " + format, "priority: 2").flows[0].lost, 0U) << format;
    }
}

TEST(FormatsTest, AHostUnderRateControlGetsItsAnswers) {
    for (const std::string& format : afh) {
        const NetworkResult result = run("switch: {defaults: {format: " + format + R"(}}
topology: {star: {hosts: 2}}
peers: [{hosts: all, rate_control: end_to_end_credit, end_to_end_credit: {bytes: 16KiB}}]
flows: [{from: h0, to: h1}]
)");
        EXPECT_GT(result.flows[0].throughput, 9.5e9) << format;
    }
}

TEST(FormatsTest, ASwitchThatCutsThroughWaitsForTheHeaderOfTheFormat) {
    PortSettings port;
    EXPECT_EQ(SwitchNode::header_for(port), SwitchNode::header);
    port.format = presets[1];
    EXPECT_EQ(SwitchNode::header_for(port), Bytes(8 + 22 + 4));
    port.format = presets[3];
    EXPECT_EQ(SwitchNode::header_for(port), Bytes(8 + 12));
}

std::string fault_of(const std::string& text) {
    const auto read = read_scenario(text, "f");
    if (read || read.error().size() != 1) return "not one";
    return config::to_string(read.error().front());
}

TEST(FormatsTest, WhatDoesNotFitIsReported) {
    const auto of_afh = [](const std::string& flow) {
        return fault_of(
            "switch: {defaults: {format: afh_gen1}}\ntopology: {star: {hosts: 2}}\n"
            "flows: [{from: h0, to: h1, " +
            flow + "}]\n");
    };
    EXPECT_EQ(of_afh("format: afh_lite, tagged: false"),
              "f:3:36: flows[0].format: is not the format of the ports, which is afh_gen1; write "
              "afh_gen1, or leave it out");
    EXPECT_EQ(of_afh("size: 100B"),
              "f:3:34: flows[0].size: is only valid with format ethernet; write payload");
    EXPECT_EQ(of_afh("ecn: true"),
              "f:3:33: flows[0].ecn: needs IPv4, which this format lacks; remove it, or write "
              "format: standard");
    EXPECT_EQ(fault_of("topology: {star: {hosts: 2}}\n"
                       "flows: [{from: h0, to: h1, traffic_class: 4}]\n"),
              "f:2:43: flows[0].traffic_class: is only valid at ports whose format has a traffic "
              "class; remove it, or write format: afh_gen1 or the like in switch.defaults");
    EXPECT_EQ(fault_of("switches: [{name: s, ports: [{format: afh_lite}, {}]}]\n"
                       "hosts: [{name: a, switch: s}, {name: b, switch: s}]\n"
                       "flows: [{from: a, to: b}]\n"),
              "f:1:11: switches: p1 of s has another format than p0 of s; write one format for all "
              "ports");
    EXPECT_EQ(fault_of("topology: {star: {hosts: 2}}\nflows: [{from: h0, to: h1, format: afh_gen1, "
                       "dscp: 26}]\n"),
              "f:2:52: flows[0].dscp: needs IPv4, which this format lacks; remove it, or write "
              "format: standard");
    EXPECT_EQ(fault_of("topology: {star: {hosts: 2}}\nswitch: {defaults: {format: afh_lite}}\n"
                       "flows: [{from: h0, to: h1, transport: go_back_n}]\n"),
              "f:3:39: flows[0].transport: resends frames, which afh_lite does not support; remove "
              "it, or write another format");
}

}  // namespace
}  // namespace sluice::sim
