#include "config/port/device_limits.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(DeviceLimits, NamesOfInterfacesAreShort) {
    EXPECT_EQ(faults_of("ports: [{device: 'af_packet:abcdefghijklmno'}, {device: 'tap:a'}]\n"),
              Lines{});
    EXPECT_EQ(faults_of("ports: [{device: 'af_packet:abcdefghijklmnop'}, {device: 'null:'}]\n"),
              Lines{"x.yaml:1:18: ports[0].device: \"abcdefghijklmnop\" is too long for an "
                    "interface's name; write one of 15 octets or less"});
    EXPECT_EQ(faults_of("ports: [{device: 'memif:/a/path/that/is/longer'}, {device: 'null:'}]\n"),
              Lines{});
}

TEST(DeviceLimits, TagsOfProvidersAreNotForDpdksPacketSockets) {
    const std::string tags = "', vlan: {mode: trunk, allowed: [10], tpid: 0x88A8}}]\n";
    EXPECT_EQ(
        faults_of("ports: [{device: 'vdev:net_af_packet0,iface=eth0" + tags),
        Lines{"x.yaml:1:93: ports[0].vlan.tpid: DPDK's net_af_packet turns provider tags (802.1ad) "
              "into customer tags; leave it out, or open the interface with af_packet:"});
    EXPECT_EQ(faults_of("ports: [{device: 'af_packet:eth0" + tags), Lines{});
    EXPECT_EQ(faults_of("ports: [{device: 'vdev:net_tap0,iface=t0" + tags), Lines{});
    EXPECT_EQ(faults_of("ports: [{device: 'vdev:net_af_packet0,iface=eth0'}]\n"), Lines{});
}

TEST(DeviceLimits, FramesFitThePagesOfXdp) {
    const std::string two = "[{device: 'af_xdp:a'}, {device: 'null:', mtu: ";
    EXPECT_EQ(faults_of("ports: " + two + "3498B}]\n"), Lines{});
    EXPECT_EQ(faults_of("ports: " + two + "3499B}]\n"),
              Lines{"x.yaml:1:54: ports[1].mtu: frames of an MTU of 3499 do not fit the pages of "
                    "\"af_xdp:a\"; write 3498B or less, or another kind of device there"});
    EXPECT_EQ(faults_of("ports: [{device: 'null:', mtu: 9000B}, {device: 'null:'}]\n"), Lines{});
}

}  // namespace
}  // namespace sluice::config
