#include "config/port/profiles.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

PortSettings port_of(const std::string& keys) {
    const auto loaded = load_text("ports: [{device: ring:a" + keys + "}]\n", "x.yaml");
    EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error().front());
    return loaded ? loaded->settings.ports[0] : PortSettings{};
}
// The priorities of PCP 0 to 7, or of the DSCPs that are their class selectors.
std::string by_pcp(const ClassifySettings& settings) {
    std::string digits;
    for (const Priority priority : settings.pcp_to_priority)
        digits += static_cast<char>('0' + priority);
    return digits;
}
std::string by_class_selector(const ClassifySettings& settings) {
    std::string digits;
    for (std::size_t dscp = 0; dscp < 64; dscp += 8) {
        digits += static_cast<char>('0' + settings.dscp_to_priority[dscp]);
    }
    return digits;
}

TEST(Profiles, AreReadyTables) {
    EXPECT_EQ(by_pcp(port_of("").classify), "01234567");
    EXPECT_EQ(by_class_selector(port_of("").classify), "00000000");
    EXPECT_EQ(by_pcp(port_of(", profile: paxi").classify), "01234567");
    EXPECT_EQ(by_class_selector(port_of(", profile: paxi").classify), "01234567");
    EXPECT_EQ(by_pcp(port_of(", profile: paxi_minimal").classify), "01022333");
    EXPECT_EQ(by_class_selector(port_of(", profile: paxi_minimal").classify), "01022333");
    const ClassifySettings roce = port_of(", profile: roce_v2").classify;
    EXPECT_EQ(roce.order[0], PrioritySource::roce);
    EXPECT_EQ(roce.order[1], PrioritySource::none);
    EXPECT_EQ(roce.dscp_to_priority[26], 3);
    EXPECT_EQ(roce.dscp_to_priority[48], 6);
    EXPECT_EQ(roce.dscp_to_priority[46], 0);
}

TEST(Profiles, WhatIsWrittenReplacesItsPart) {
    const ClassifySettings settings =
        port_of(", profile: paxi_minimal, trust: [tc, pcp, dscp], dscp_to_priority: {46: 7}")
            .classify;
    EXPECT_EQ(settings.order[0], PrioritySource::traffic_class);
    EXPECT_EQ(settings.order[1], PrioritySource::pcp);
    EXPECT_EQ(settings.order[2], PrioritySource::dscp);
    EXPECT_EQ(settings.order[3], PrioritySource::none);
    EXPECT_EQ(by_pcp(settings), "01022333");
    EXPECT_EQ(settings.dscp_to_priority[46], 7);
    EXPECT_EQ(by_class_selector(settings), "00000000");
}

TEST(Classification, ATrafficClassThatIsNotNamedHasTheDefault) {
    const ClassifySettings settings =
        port_of(", format: afh_lite, default_priority: 2, tc_to_priority: {0: 1, 255: 7}").classify;
    EXPECT_EQ(settings.tc_to_priority[0], 1);
    EXPECT_EQ(settings.tc_to_priority[254], 2);
    EXPECT_EQ(settings.tc_to_priority[255], 7);
}

TEST(Classification, RemarkNamesWhatItWrites) {
    const RemarkSettings remark = port_of(", remark: {pcp: {3: 5}, dscp: {3: 26, 6: 48}}").remark;
    EXPECT_EQ(remark.pcp[3], 5);
    EXPECT_EQ(remark.pcp[6], RemarkSettings::as_it_came);
    EXPECT_EQ(remark.dscp[3], 26);
    EXPECT_EQ(remark.dscp[6], 48);
    EXPECT_EQ(remark.dscp[0], RemarkSettings::as_it_came);
}

TEST(Classification, AClassThatLooksLikeControlIsRefusedWithoutAnEtherType) {
    const auto faults = [](const std::string& keys) {
        return faults_of("ports: [{device: ring:a, " + keys + "}]\n");
    };
    EXPECT_EQ(faults("format: afh_lite, tc_to_priority: {0: 3, 1: 3}"), Lines{});
    EXPECT_EQ(faults("format: afh_gen2_16b, tc_to_priority: {1: 3}"), Lines{});
    const std::string described =
        "formats:\n"
        "  - {name: before, like: afh_lite, traffic_class: {offset: 0}, key_word: {offset: 48}}\n"
        "  - {name: sixes, like: afh_lite, traffic_class: {offset: 0, mask: 0xfc}, key_word: "
        "{offset: 48}}\n";
    EXPECT_EQ(
        faults_of(described + "ports: [{device: ring:a, format: before, tc_to_priority: {0: 3, 2: "
                              "3, 255: 3}}, {device: ring:b, format: before, tc_to_priority: {1: "
                              "3}}]\n"),
        Lines{"x.yaml:4:134: ports[1].tc_to_priority.1: a frame of class 1 may have the octets "
              "of MAC control, and before has no EtherType to distinguish them; leave that "
              "class unused, or describe a format with the key word in octet 0"});
    EXPECT_EQ(
        faults_of(described + "ports: [{device: ring:a, format: sixes, tc_to_priority: {0: 3}}]\n"),
        Lines{"x.yaml:4:61: ports[0].tc_to_priority.0: a frame of class 0 may have the octets "
              "of MAC control, and sixes has no EtherType to distinguish them; leave that "
              "class unused, or describe a format with the key word in octet 0"});
}

TEST(FlowControl, IsPfcOrNone) {
    EXPECT_EQ(port_of("").flow_control, FlowControl::pfc);
    EXPECT_EQ(port_of(", flow_control: none").flow_control, FlowControl::none);
    EXPECT_EQ(faults_of("ports: [{device: ring:a, flow_control: cedit}]\n"),
              Lines{"x.yaml:1:40: ports[0].flow_control: \"cedit\" is not one of none, pfc, "
                    "credit; write none or pfc or credit"});
    EXPECT_EQ(faults_of("defaults: {lossless: [3]}\n"
                        "ports: [{device: ring:a, flow_control: none, pfc: {link_pause: true}}]\n"),
              (Lines{"x.yaml:1:22: defaults.lossless: cannot be combined with flow_control: none; "
                     "write [] here, or flow_control: pfc",
                     "x.yaml:2:64: ports[0].pfc.link_pause: cannot be combined with flow_control: "
                     "none; write false, or flow_control: pfc"}));
}

}  // namespace
}  // namespace sluice::config
