#include "config/port/header_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string curve = "{3: {low: 1KiB, high: 2KiB, probability: 1}}";

TEST(HeaderKeys, APortWritesNoneThatItsFramesDoNotHave) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    format: afh_lite\n"
                  "    ecn: {}\n"
                  "    remark: {pcp: {3: 1}, dscp: {3: 26}}\n"
                  "    pcp_to_priority: [0, 0, 0, 0, 0, 0, 0, 0]\n"
                  "    dscp_to_priority: {26: 3}\n"
                  "    tc_to_priority: {12: 3}\n"
                  "  - {device: ring:b, tc_to_priority: {12: 3}}\n"
                  "  - {device: ring:c, format: afh_gen1, fdb: {sticky: true}}\n"),
        (Lines{
            "x.yaml:5:19: ports[0].remark.pcp: frames of format afh_lite have no tag that could "
            "have a PCP; leave it out, or write a format that has it",
            "x.yaml:5:33: ports[0].remark.dscp: frames of format afh_lite have no DSCP; leave it "
            "out, or write a format that has it",
            "x.yaml:6:22: ports[0].pcp_to_priority: frames of format afh_lite have no tag that "
            "could have a PCP; leave it out, or write a format that has it",
            "x.yaml:7:23: ports[0].dscp_to_priority: frames of format afh_lite have no DSCP; "
            "leave it out, or write a format that has it",
            "x.yaml:9:38: ports[1].tc_to_priority: frames of format standard have no traffic "
            "class; leave it out, or write a format that has it",
            "x.yaml:10:54: ports[2].fdb.sticky: frames of format afh_gen1 have no source address "
            "that is learned; leave it out, or write a format that has it"}));
}

TEST(HeaderKeys, EcnIsInIpOrInTheFormat) {
    const std::string port = "ports: [{device: ring:a, ecn: " + curve + ", format: ";
    EXPECT_EQ(faults_of(port + "afh_lite}]\n"), Lines{});
    EXPECT_EQ(faults_of(port + "ufh_16b}]\n"),
              Lines{"x.yaml:1:" + std::to_string(port.find("ecn: ") + 6) +
                    ": ports[0].ecn: frames of format ufh_16b have no ECN that could be marked, "
                    "in IP or a field; leave it out, or write a format that has it"});
}

TEST(HeaderKeys, TagsAreInEveryFormatWithAnEtherType) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, format: afh_gen1, remark: {pcp: {3: 1}}, "
                        "tc_to_priority: {12: 3}, pcp_to_priority: [0, 0, 0, 0, 0, 0, 0, 0]}]\n"),
              Lines{});
}

TEST(HeaderKeys, DefaultsAreForThePortsThatHaveThem) {
    const std::string defaults = "defaults: {tc_to_priority: {12: 3}, ecn: " + curve + "}\n";
    EXPECT_EQ(
        faults_of(defaults + "ports: [{device: ring:a}, {device: ring:b, format: afh_gen1}]\n"),
        Lines{});
    EXPECT_EQ(faults_of(defaults + two_ports),
              Lines{"x.yaml:1:28: defaults.tc_to_priority: frames of the ports that use it have no "
                    "traffic class; leave it out, or write a format that has it"});
    // The only port that could use it overrides it.
    EXPECT_EQ(
        faults_of(defaults + "ports: [{device: ring:a, ecn: {}, tc_to_priority: {}}, "
                             "{device: ring:b, format: afh_gen1}]\n"),
        Lines{"x.yaml:1:42: defaults.ecn: frames of the ports that use it have no ECN that could "
              "be marked, in IP or a field; leave it out, or write a format that has it"});
}

// An output marks and remarks frames of other inputs, whose format may say where the IP header is.
TEST(HeaderKeys, AnIpHeaderMayComeFromAnotherPortOfTheFamily) {
    const std::string formats =
        "formats: [{name: opaque, like: standard, ip: false}]\n"
        "ports:\n"
        "  - {device: ring:a, format: opaque, ecn: " +
        curve + ", remark: {dscp: {3: 26}}}\n";
    EXPECT_EQ(faults_of(formats + "  - {device: ring:b}\n"), Lines{});
    EXPECT_EQ(faults_of(formats + "  - {device: ring:b, format: afh_gen1}\n").size(), 2U);
}

TEST(HeaderKeys, WhatIsAFaultAlreadyIsNoOther) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, format: afh_lite, ecn: 5}]\n").size(), 1U);
    EXPECT_EQ(faults_of("ports: [{device: ring:a, format: x, tc_to_priority: {1: 1}}]\n").size(),
              1U);
}

TEST(HeaderKeys, ReportsOfGroupsAreIp) {
    const std::string lite = "ports: [{device: ring:a, format: afh_lite}]\n";
    EXPECT_EQ(faults_of(lite + "multicast: {snooping: [igmp]}\n"),
              Lines{"x.yaml:2:23: multicast.snooping: frames of no port have an IP header, so no "
                    "host reports; leave it out, or write a port whose format has one"});
    EXPECT_EQ(faults_of(lite + "multicast: {snooping: []}\n"), Lines{});
    EXPECT_EQ(faults_of(one_port + "multicast: {snooping: [igmp]}\n"), Lines{});
}

}  // namespace
}  // namespace sluice::config
