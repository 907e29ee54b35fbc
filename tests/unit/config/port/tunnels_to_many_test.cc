#include "config/port/tunnels_to_many.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "config/difference.h"
#include "config/loader.h"
#include "config/port/tunnel_kinds.h"
#include "config/protocols/evpn.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Port 0 is the underlay, port 1 a tunnel to many over it; `rest` and `below` are added to the
// file.
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
    EXPECT_TRUE(leads_to_many(tunnel.encapsulation));
    EXPECT_EQ(tunnel.networks, (std::vector<VlanVni>{{0, 100}}));
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
    EXPECT_EQ(
        only_fault(leaf("")),
        "ports[1].device: has no VTEPs; write remotes: [ADDRESS, ...], or VNI 100 under evpn.vnis");
    EXPECT_EQ(only_fault(leaf(", remotes: [192.0.2.2]", daemon)),
              "ports[1].remotes: names VTEPs of VNI 100, which evpn.vnis has; leave it out: the "
              "routing daemon reports them");
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
              "ports[2].device: has VNI 100, for which ports[1] already leads to all VTEPs; leave "
              "it out, or write one port for each VTEP and no port for all");
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
            .find("no entry names the VTEP"),
        std::string::npos);
    const std::string host = "- {name: host, device: 'ring:h'}\n- {name: more, device: 'ring:m'}\n";
    EXPECT_NE(only_fault(leaf(keys, host + "mirrors: [{from: [host], to: fabric}]"))
                  .find("is a point-to-multipoint tunnel"),
              std::string::npos);
    const Lines of_aggregation =
        faults_of(leaf(keys, host + "aggregations: [{name: both, ports: [fabric, more]}]"));
    EXPECT_TRUE(std::ranges::any_of(of_aggregation, [](const std::string& line) {
        return line.find("is a point-to-multipoint tunnel; leave it out") != std::string::npos;
    }));
}

TEST(TunnelsToMany, HaveRemotesAlone) {
    const std::string one =
        "ports:\n- {name: wan, device: 'ring:a', underlay: {address: "
        "192.0.2.1/24}}\n- {name: far, device: 'vxlan:wan/192.0.2.2/100', "
        "remotes: [192.0.2.3]}\n";
    EXPECT_EQ(only_fault(one),
              "ports[1].remotes: is only valid on a point-to-multipoint tunnel; this one names its "
              "other end in `device`; leave it out, or write device: \"vxlan:PORT/VNI\"");
    EXPECT_EQ(only_fault("ports: [{device: 'ring:a', remotes: [192.0.2.3]}]"),
              "ports[0].remotes: is only valid with vxlan:; leave it out");
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

// A tunnel port with `vnis` and `more` keys.
std::string by_vlan(const std::string& vnis, const std::string& more = ", remotes: [192.0.2.2]",
                    const std::string& rest = "", const std::string& device = "vxlan:wan") {
    return "ports:\n- {name: wan, device: 'ring:a', underlay: {address: 192.0.2.1/24}, vlan: "
           "{mode: "
           "access, access: 4000}}\n- {name: fabric, device: '" +
           device + "', vnis: {" + vnis + "}" + more + "}\n" + rest;
}

TEST(TunnelsByVlan, AreATrunkOfTheirVlans) {
    const auto read = load_text(by_vlan("10: 10010, 20: 20020"), "x");
    ASSERT_TRUE(read);
    const TunnelConfig& tunnel = *read->ports[1].tunnel;
    EXPECT_EQ(tunnel.networks, (std::vector<VlanVni>{{10, 10010}, {20, 20020}}));
    EXPECT_TRUE(leads_to_many(tunnel.encapsulation));
    EXPECT_EQ(facts_of(tunnel.encapsulation).vni, std::nullopt);
    EXPECT_EQ(kind_of(tunnel.encapsulation).scheme, "vxlan");
    const Settings& settings = read->settings;
    EXPECT_TRUE(settings.ports[1].tagging.aware);
    EXPECT_EQ(settings.ports[1].tagging.accept, FrameTypes::tagged);
    EXPECT_EQ(settings.ports[1].tagging.type, TagType::customer);
    for (const VlanId vlan : {VlanId{1}, VlanId{10}, VlanId{20}, VlanId{30}}) {
        EXPECT_EQ((settings.vlan.members[vlan] & only(1)) != 0, vlan == 10 || vlan == 20) << vlan;
        EXPECT_EQ(settings.vlan.untagged[vlan] & only(1), 0U) << vlan;
    }
    EXPECT_EQ(read->ports[1].mtu, Bytes(1442)) << "a tag is no part of it";
}

TEST(TunnelsByVlan, AreThatWhateverTheDefaultsSay) {
    const auto read =
        load_text("defaults: {vlan: {mode: trunk, native: 7, allowed: [7, 8], tpid: '0x88A8'}}\n" +
                      by_vlan("10: 10010"),
                  "x");
    ASSERT_TRUE(read) << to_string(read.error().front());
    EXPECT_EQ(read->settings.ports[1].tagging.type, TagType::customer);
    EXPECT_EQ(read->settings.vlan.members[7] & only(1), 0U);
    EXPECT_EQ(read->settings.vlan.members[10] & only(1), only(1));
    const auto untagged = load_text(
        "defaults: {vlan: {mode: access, access: 7, accept: untagged}}\n" + by_vlan("10: 10010"),
        "x");
    ASSERT_TRUE(untagged) << to_string(untagged.error().front());
    EXPECT_EQ(untagged->settings.ports[1].tagging.accept, FrameTypes::tagged);
}

TEST(TunnelsByVlan, HaveAVniForEachVlan) {
    EXPECT_EQ(only_fault(by_vlan("10: 7, 20: 7")),
              "ports[1].vnis.20: 7 is also that of VLAN 10; give each VLAN a VNI of its own");
    EXPECT_NE(only_fault(by_vlan("10: 7, 10: 8")).find("ports[1].vnis.10: is written twice"),
              std::string::npos);
    EXPECT_NE(only_fault(by_vlan("4095: 7")).find("ports[1].vnis.4095"), std::string::npos);
    EXPECT_NE(only_fault(by_vlan("10: 16777216")).find("ports[1].vnis.10"), std::string::npos);
    EXPECT_EQ(only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2]", "", "vxlan:wan/100")),
              "ports[1].device: names 100 after the port, but `vnis` sets the VNIs; write device: "
              "\"vxlan:wan\", or leave `vnis` out");
    EXPECT_NE(only_fault(by_vlan("10: 7", "", "", "ring:b"))
                  .find("ports[1].vnis: is only valid with vxlan:"),
              std::string::npos);
    EXPECT_EQ(
        only_fault(by_vlan("")),
        "ports[1].device: \"vxlan:wan\" is no tunnel; write vxlan:PORT/ADDRESS/VNI with an IP "
        "address and a VNI of 1 to 16777215, or vxlan:PORT/VNI to many, or vxlan:PORT beside "
        "`vnis`");
    std::string many;
    for (int vlan = 1; vlan <= 257; ++vlan)
        many += std::to_string(vlan) + ": " + std::to_string(vlan) + ", ";
    EXPECT_EQ(
        only_fault(by_vlan(many)),
        "ports[1].vnis: has 257 VLANs; write up to 256, and the others at a port over another "
        "underlay");
}

TEST(TunnelsByVlan, SayNothingElseOfTheirVlans) {
    EXPECT_EQ(
        only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2], vlan: {mode: access, access: 10}")),
        "ports[1].vlan: is computed: a trunk of the VLANs of `vnis`; leave it out");
    EXPECT_EQ(only_fault(
                  by_vlan("10: 7", ", remotes: [192.0.2.2]", "vlans: [{id: 10, ports: [fabric]}]")),
              "vlans[0].ports[0]: port fabric sets its VLANs itself; leave the port out here, its "
              "`vnis` decide");
    EXPECT_NE(only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2], lldp: {mode: tx}"))
                  .find("frames without a VLAN are not sent there"),
              std::string::npos);
    EXPECT_EQ(only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2], default_vlan: 10")),
              "ports[1].default_vlan: has no meaning with vlan.mode: trunk; leave it out");
    EXPECT_NE(only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2], loop_guard: {action: warn}"))
                  .find("probes without a VLAN are not sent there"),
              std::string::npos);
    EXPECT_NE(only_fault(by_vlan("10: 7", ", remotes: [192.0.2.2], remark: {pcp: {3: 5}}"))
                  .find("frames are sent without a tag there"),
              std::string::npos);
    const auto of_defaults =
        load_text("defaults: {loop_guard: {action: warn}}\n" + by_vlan("10: 7"), "x");
    ASSERT_TRUE(of_defaults);
    EXPECT_EQ(of_defaults->ports[0].loop_guard.action, LoopGuardAction::warn);
    EXPECT_EQ(of_defaults->ports[1].loop_guard.action, LoopGuardAction::off);
}

TEST(TunnelsByVlan, AreOneAtAPortBelow) {
    const std::string other =
        "- {name: other, device: 'vxlan:wan', vnis: {30: 30030}, remotes: "
        "[192.0.2.2]}\n";
    EXPECT_TRUE(only_fault(by_vlan("10: 10010", ", remotes: [192.0.2.2]", other))
                    .starts_with("ports[2].device: "));
}

TEST(TunnelsByVlan, AreAloneInEachNetwork) {
    const std::string one = "- {name: one, device: 'vxlan:wan/192.0.2.9/20020'}\n";
    EXPECT_EQ(only_fault(by_vlan("10: 10010, 20: 20020", ", remotes: [192.0.2.2]", one)),
              "ports[2].device: has VNI 20020, for which ports[1] already leads to all VTEPs; "
              "leave it out, or write one port for each VTEP and no port for all");
    const Lines lines = faults_of(by_vlan("10: 10010", ", remotes: [192.0.2.2]",
                                          "- {name: many, device: 'vxlan:wan/10010', remotes: "
                                          "[192.0.2.2]}\n"));
    ASSERT_EQ(lines.size(), 2U) << "each of the other";
    EXPECT_NE(lines[0].find("has VNI 10010"), std::string::npos);
}

std::string daemon_of(const std::string& vnis) { return "evpn: {vnis: [" + vnis + "]}\n"; }

TEST(TunnelsByVlan, HaveTheVtepsOfARoutingDaemonInAllNetworksOrInNone) {
    const std::string ten = "{vni: 10010, vlan: 10, device: vx10, local_device: sl10}";
    const std::string twenty = "{vni: 20020, vlan: 20, device: vx20, local_device: sl20}";
    const auto read =
        load_text(by_vlan("10: 10010, 20: 20020", "", daemon_of(ten + ", " + twenty)), "x");
    ASSERT_TRUE(read) << to_string(read.error().front());
    EXPECT_TRUE(read->settings.ports[1].evpn);
    for (const VniConfig& vni : read->evpn.vnis) EXPECT_EQ(tunnel_to_many_of(vni, read->ports), 1);
    EXPECT_EQ(
        only_fault(by_vlan("10: 10010, 20: 20020", "", daemon_of(ten))),
        "ports[1].device: has no VTEPs for VNI 20020; write VNI 20020 under evpn.vnis as well");
    EXPECT_EQ(only_fault(by_vlan("10: 10010", ", remotes: [192.0.2.2]", daemon_of(ten))),
              "ports[1].remotes: names VTEPs of VNI 10010, which evpn.vnis has; leave it out: the "
              "routing daemon reports them");
    EXPECT_EQ(
        only_fault(by_vlan("11: 10010", "", daemon_of(ten))),
        "evpn.vnis[0].vlan: is 10, and ports[1].vnis has VNI 10010 for VLAN 11; write vlan: 11");
    EXPECT_NE(only_fault(by_vlan("10: 10010", "")).find("has no VTEPs"), std::string::npos);
}

TEST(TunnelsByVlan, StayWhileTheSwitchRuns) {
    const auto running = load_text(by_vlan("10: 10010"), "x");
    const auto next = load_text(by_vlan("10: 10010, 20: 20020"), "x");
    const auto other = load_text(by_vlan("10: 10010", ", remotes: [192.0.2.3]"), "x");
    ASSERT_TRUE(running && next && other);
    const auto faults = difference_needing_restart(*running, *next);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].path, "ports[1].vnis");
    EXPECT_TRUE(difference_needing_restart(*running, *other).empty());
}

}  // namespace
}  // namespace sluice::config
