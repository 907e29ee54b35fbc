#include "config/port/tunnels_to_many.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "config/difference.h"
#include "config/loader.h"
#include "config/protocols/evpn.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Port 0 below, port 1 a tunnel to many over it, and what else the file says.
std::string leaf(const std::string& tunnel, const std::string& rest = "",
                 const std::string& below = "") {
    return "ports:\n"
           "- {name: wan, device: 'ring:a', underlay: {address: 192.0.2.1/24" +
           below +
           "}, vlan: {mode: access, access: 4000}}\n- {name: fabric, device: 'vxlan:wan/100'" +
           tunnel + "}\n" + rest;
}
const std::string daemon = "evpn: {vnis: [{vni: 100, device: vx100, local_device: sl100}]}\n";

std::string only_fault(const std::string& text) {
    const Lines lines = faults_of(text);
    EXPECT_EQ(lines.size(), 1U) << text;
    return lines.empty() ? "" : lines.front().substr(lines.front().find(": ") + 2);
}

TEST(TunnelsToMany, NameTheirVteps) {
    const auto read =
        load_text(leaf(", remotes: [192.0.2.2, 198.51.100.7]", "", ", gateway: 192.0.2.254"), "x");
    ASSERT_TRUE(read);
    const TunnelConfig& tunnel = *read->ports[1].tunnel;
    const auto& vxlan = std::get<VxlanTunnel>(tunnel.encapsulation);
    EXPECT_TRUE(vxlan.leads_to_many());
    EXPECT_EQ(vxlan.vni, 100U);
    EXPECT_EQ(tunnel.underlay, "wan");
    EXPECT_EQ(tunnel.remotes, (std::vector<Ipv4Address>{{0xC000'0202}, {0xC633'6407}}));
    EXPECT_FALSE(read->settings.ports[1].evpn);
    EXPECT_EQ(read->ports[1].dcbx.mode, DcbxMode::disabled);
    EXPECT_EQ(read->ports[1].lldp.mode, LldpMode::disabled);
    EXPECT_EQ(read->ports[1].mtu, Bytes(1442)) << "as that of any other";
}

TEST(TunnelsToMany, HaveThoseOfARoutingDaemon) {
    const auto read = load_text(leaf("", daemon), "x");
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->settings.ports[1].evpn);
    EXPECT_EQ(tunnel_to_many_of(read->evpn.vnis[0], read->ports), 1);
    EXPECT_TRUE(tunnels_of(read->evpn.vnis[0], read->ports).empty());
}

TEST(TunnelsToMany, LeadSomewhere) {
    EXPECT_EQ(only_fault(leaf("")),
              "ports[1].device: leads nowhere; write remotes: [ADDRESS, ...], or VNI 100 under "
              "evpn.vnis");
    EXPECT_EQ(only_fault(leaf(", remotes: [192.0.2.2]", daemon)),
              "ports[1].remotes: names VTEPs of VNI 100, which evpn.vnis has; leave it out: the "
              "routing daemon names them");
    EXPECT_EQ(only_fault(leaf(", remotes: [192.0.2.300]")),
              "ports[1].remotes[0]: \"192.0.2.300\" is no IPv4 address; write an address such as "
              "192.0.2.2");
    EXPECT_EQ(only_fault(leaf(", remotes: [192.0.2.1]")),
              "ports[1].remotes[0]: 192.0.2.1 is the address of wan itself; name the other end");
    EXPECT_EQ(only_fault(leaf(", remotes: [198.51.100.7]")),
              "ports[1].remotes[0]: 198.51.100.7 is not on the network of wan; write "
              "underlay.gateway at wan");
    EXPECT_NE(only_fault(leaf(", remotes: [192.0.2.2, 192.0.2.2]")).find("ports[1].remotes[1]"),
              std::string::npos);
    EXPECT_EQ(faults_of(leaf(", remotes: ['2001:db8::2']")).size(), 1U) << "of IPv4 alone";
}

TEST(TunnelsToMany, AreAloneInTheirNetwork) {
    const std::string one = "- {name: one, device: 'vxlan:wan/192.0.2.9/100'}\n";
    EXPECT_EQ(only_fault(leaf(", remotes: [192.0.2.2]", one)),
              "ports[2].device: is of VNI 100, of which ports[1] leads to all VTEPs; leave it out, "
              "or write a port for each VTEP and none for all");
    const std::string other = "- {name: one, device: 'vxlan:wan/192.0.2.9/101'}\n";
    EXPECT_EQ(faults_of(leaf(", remotes: [192.0.2.2]", other)), Lines{});
}

TEST(TunnelsToMany, DoNothingThatIsBetweenTwoEnds) {
    const std::string keys = ", remotes: [192.0.2.2]";
    EXPECT_NE(only_fault(leaf(keys + ", lossless: [3]"))
                  .find("a pause is between two ends; write lossless: [] at ports[1]"),
              std::string::npos);
    EXPECT_NE(only_fault("defaults: {lossless: [3], pfc: {headroom: 128KiB}}\n" + leaf(keys))
                  .find("ports[1].device: is lossless by `defaults`"),
              std::string::npos)
        << "nor by defaults";
    EXPECT_EQ(faults_of("defaults: {lossless: [3], pfc: {headroom: 128KiB}}\n" +
                        leaf(keys + ", lossless: []")),
              Lines{});
    EXPECT_NE(only_fault(leaf(keys + ", next_hop: '02:00:00:00:00:05'")).find("ports[1].next_hop"),
              std::string::npos);
    EXPECT_NE(only_fault(leaf(keys + ", dcbx: {mode: ieee}")).find("DCBX is between two ends"),
              std::string::npos);
    EXPECT_EQ(faults_of(leaf(keys + ", dcbx: {mode: disabled}")), Lines{});
    EXPECT_NE(
        only_fault(leaf(keys, "fdb: {static: [{address: '02:00:00:00:00:09', port: fabric}]}"))
            .find("no entry says which"),
        std::string::npos);
    const std::string host = "- {name: host, device: 'ring:h'}\n- {name: more, device: 'ring:m'}\n";
    EXPECT_NE(only_fault(leaf(keys, host + "mirrors: [{from: [host], to: fabric}]"))
                  .find("leads to many VTEPs"),
              std::string::npos);
    const Lines of_aggregation =
        faults_of(leaf(keys, host + "aggregations: [{name: both, ports: [fabric, more]}]"));
    EXPECT_TRUE(std::ranges::any_of(of_aggregation, [](const std::string& line) {
        return line.find("is a tunnel to many VTEPs; leave it out") != std::string::npos;
    }));
}

TEST(TunnelsToMany, HaveRemotesAlone) {
    const std::string one =
        "ports:\n- {name: wan, device: 'ring:a', underlay: {address: "
        "192.0.2.1/24}}\n- {name: far, device: 'vxlan:wan/192.0.2.2/100', "
        "remotes: [192.0.2.3]}\n";
    EXPECT_EQ(only_fault(one),
              "ports[1].remotes: is of a tunnel that names its other end in `device`; leave it "
              "out, or write device: \"vxlan:PORT/VNI\"");
    EXPECT_EQ(only_fault("ports: [{device: 'ring:a', remotes: [192.0.2.3]}]"),
              "ports[0].remotes: is of vxlan: alone; leave it out");
}

TEST(TunnelsToMany, GetOtherVtepsWhileTheSwitchRuns) {
    const auto before = load_text(leaf(", remotes: [192.0.2.2]"), "x");
    const auto after = load_text(leaf(", remotes: [192.0.2.3, 192.0.2.4]"), "x");
    ASSERT_TRUE(before && after);
    EXPECT_TRUE(difference_needing_restart(*before, *after).empty());
    const auto one = load_text(
        "ports:\n- {name: wan, device: 'ring:a', underlay: {address: 192.0.2.1/24}, vlan: {mode: "
        "access, access: 4000}}\n- {name: fabric, device: 'vxlan:wan/192.0.2.2/100'}\n",
        "x");
    ASSERT_TRUE(one);
    EXPECT_FALSE(difference_needing_restart(*before, *one).empty()) << "it is another device";
}

}  // namespace
}  // namespace sluice::config
