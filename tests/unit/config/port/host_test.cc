#include "config/port/host.h"

#include <gtest/gtest.h>

#include <string>

#include "config/difference.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

std::string port_with(const std::string& host, const std::string& device = "af_xdp:eth0") {
    return "ports:\n  - device: " + device + "\n    host: " + host + "\n";
}

TEST(Host, KeepsNothingUnlessWritten) {
    const auto read = load_text("ports: [{device: af_xdp:eth0}]\n", "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->ports[0].host, HostConfig{});
}

TEST(Host, KeepsWhatIsWritten) {
    const auto read = load_text(
        port_with("{addresses: true, rules: [{vlan: 100}, {mac: 33:33:00:00:00:01, vlan: 0}, "
                  "{ethertype: 0x88CC}]}"),
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    const HostConfig& host = read->ports[0].host;
    EXPECT_TRUE(host.addresses);
    const MacAddress group{0x3333'0000'0001};
    EXPECT_EQ(host.rules, (std::vector<HostRuleConfig>{
                              {.vlan = 100}, {.mac = group, .vlan = 0}, {.ethertype = 0x88CC}}));
}

TEST(Host, SharesAfXdpAlone) {
    EXPECT_EQ(faults_of(port_with("{addresses: true}", "af_packet:eth0")),
              (Lines{"x.yaml:3:11: ports[0].host: only interfaces of af_xdp: are shared with the "
                     "host; leave it out, or open the interface with af_xdp:"}));
    EXPECT_EQ(faults_of(port_with("{addresses: false}", "ring:a")), Lines{});
}

TEST(Host, OfDefaultsIsOfAfXdpPorts) {
    const auto read = load_text(
        "defaults: {host: {addresses: true}}\n"
        "ports: [{device: af_xdp:eth0}, {device: ring:a}, {device: af_xdp:eth1, host: {}}]\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->ports[0].host.addresses);
    EXPECT_FALSE(read->ports[1].host.addresses);
    EXPECT_FALSE(read->ports[2].host.addresses);
}

TEST(Host, SharesNoFramesThatItDoesNotUnderstand) {
    EXPECT_EQ(faults_of("ports:\n  - device: af_xdp:eth0\n    format: afh_lite\n"
                        "    host: {rules: [{vlan: 3}]}\n"),
              (Lines{"x.yaml:4:11: ports[0].host: a host does not understand frames of format "
                     "afh_lite; leave it out, or write format: standard"}));
}

TEST(Host, RulesSaySomethingAndOnce) {
    EXPECT_EQ(
        faults_of(port_with("{rules: [{vlan: 3}, {}, {vlan: 3}, {ethertype: 0x8808}, "
                            "{ethertype: 0x8100}, {ethertype: 1500}, {vlan: 4095}]}")),
        (Lines{
            "x.yaml:3:31: ports[0].host.rules[1]: matches every frame, so the switch would get "
            "none; write mac, vlan or ethertype, or open the interface in no port",
            "x.yaml:3:35: ports[0].host.rules[2]: equals ports[0].host.rules[0]; keep one of them",
            "x.yaml:3:58: ports[0].host.rules[3].ethertype: names MAC control, which the switch "
            "always consumes; leave it out",
            "x.yaml:3:79: ports[0].host.rules[4].ethertype: is a VLAN EtherType; use vlan",
            "x.yaml:3:100: ports[0].host.rules[5].ethertype: \"1500\" is out of range; "
            "write a whole number from 1536 to 65535",
            "x.yaml:3:114: ports[0].host.rules[6].vlan: \"4095\" is out of range; write a "
            "whole number from 0 to 4094"}));
}

TEST(Host, CannotChangeAfterTheStart) {
    const auto before = load_text(port_with("{rules: [{vlan: 3}]}"), "a.yaml");
    const auto after = load_text(port_with("{rules: [{vlan: 4}]}"), "b.yaml");
    ASSERT_TRUE(before.has_value() && after.has_value());
    EXPECT_EQ(lines_of(difference_needing_restart(*before, *after)),
              (Lines{"b.yaml:3:11: ports[0].host: cannot change from {addresses: false, rules: "
                     "[{vlan: 3}]} to {addresses: false, rules: [{vlan: 4}]} while running; keep "
                     "{addresses: false, rules: [{vlan: 3}]}, or restart sluiced"}));
}

}  // namespace
}  // namespace sluice::config
