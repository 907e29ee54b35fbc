#include "config/protocols/evpn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "config/difference.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Line 2 is the host's port, 3 the one below, 4 and 5 tunnels.
std::string leaf(const std::string& evpn, const std::string& of_tunnel = "") {
    return "ports:\n- {name: host, device: 'ring:a'}\n"
           "- {name: wan, device: 'ring:b', mtu: 1558, underlay: {address: 192.0.2.1/24}, "
           "vlan: {mode: access, access: 4000}}\n"
           "- {name: two, device: 'vxlan:wan/192.0.2.2/100'" +
           of_tunnel +
           "}\n"
           "- {name: other, device: 'vxlan:wan/192.0.2.2/200', vlan: {mode: access, access: 20}}\n"
           "evpn: {" +
           evpn + "}\n";
}
const std::string one = "{vni: 100, device: vx100, local_device: sl100}";

Configuration read(const std::string& text) {
    auto configuration = load_text(text, "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return std::move(*configuration);
}

TEST(Evpn, IsOffByDefault) {
    const Configuration off = read(leaf(""));
    EXPECT_TRUE(off.evpn.vnis.empty());
    for (const PortSettings& port : off.settings.ports) EXPECT_FALSE(port.evpn);
}

TEST(Evpn, TunnelsOfItsNetworksAreReported) {
    const Configuration on = read(leaf("vnis: [" + one + "]"));
    EXPECT_EQ(on.evpn.vnis, (std::vector<VniConfig>{{100, 1, "vx100", "sl100"}}));
    EXPECT_EQ(on.evpn.grace, Nanos(120'000'000'000));
    EXPECT_EQ(on.evpn.daemon_socket, "/run/frr/zserv.api");
    EXPECT_FALSE(on.settings.ports[1].evpn);
    EXPECT_TRUE(on.settings.ports[2].evpn);
    EXPECT_FALSE(on.settings.ports[3].evpn);
}

TEST(Evpn, SaysWhatIsWritten) {
    const Configuration on = read(leaf("vnis: [" + one +
                                       ", {vni: 200, vlan: 20, device: vx200, "
                                       "local_device: sl200}], grace: 0, daemon_socket: /run/x"));
    EXPECT_EQ(on.evpn.vnis.back(), (VniConfig{200, 20, "vx200", "sl200"}));
    EXPECT_EQ(on.evpn.grace, Nanos(0));
    EXPECT_EQ(on.evpn.daemon_socket, "/run/x");
    EXPECT_TRUE(on.settings.ports[3].evpn);
}

TEST(Evpn, ItsTunnelsSpeakDcbxOnlyIfTheySayIt) {
    const std::string on = "vnis: [" + one + "]";
    const std::string by_default = "defaults: {dcbx: {mode: ieee, willing: [pfc]}}\n";
    const Configuration quiet = read(by_default + leaf(on));
    EXPECT_EQ(quiet.ports[0].dcbx.mode, DcbxMode::ieee);
    EXPECT_EQ(quiet.ports[2].dcbx.mode, DcbxMode::disabled);
    EXPECT_EQ(quiet.ports[3].dcbx.mode, DcbxMode::ieee);  // of another network
    const Configuration speaking = read(leaf(on, ", dcbx: {willing: [pfc]}"));
    EXPECT_EQ(speaking.ports[2].dcbx.mode, DcbxMode::automatic);
}

TEST(Evpn, NothingHasAMeaningWithoutANetwork) {
    EXPECT_EQ(faults_of(leaf("grace: 5s")),
              Lines{"x.yaml:6:15: evpn.grace: has no meaning without evpn.vnis; leave it out, or "
                    "write evpn.vnis"});
}

TEST(Evpn, ANetworkHasATunnel) {
    EXPECT_EQ(faults_of(leaf("vnis: [{vni: 300, device: vx300, local_device: sl300}]")),
              Lines{"x.yaml:6:21: evpn.vnis[0].vni: no tunnel belongs to network 300; write a port "
                    "with device: \"vxlan:PORT/300\""});
}

TEST(Evpn, ANetworkHasWhatItNamesForItself) {
    const Lines lines = faults_of(leaf("vnis: [" + one + ", " + one + "]"));
    ASSERT_EQ(lines.size(), 4U);
    for (const std::string key : {"vni: 100", "vlan: 1", "device: vx100", "local_device: sl100"}) {
        const std::string name = key.substr(0, key.find(':'));
        const std::string said = "evpn.vnis[1]." + key + " is also that of evpn.vnis[0]." + name;
        EXPECT_TRUE(std::ranges::any_of(lines, [&](const std::string& line) {
            return line.find(said) != std::string::npos;
        })) << said;
    }
    const Lines mixed = faults_of(leaf("vnis: [{vni: 100, device: x, local_device: x}]"));
    ASSERT_EQ(mixed.size(), 1U);
    EXPECT_NE(mixed[0].find("local_device: x is also that of evpn.vnis[0].device"),
              std::string::npos);
}

TEST(Evpn, ItsTunnelsAreInItsVlan) {
    const Lines lines = faults_of(leaf("vnis: [{vni: 200, device: x, local_device: y}]"));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("evpn.vnis[0].vlan: is 1, and frames of other are bridged in 20; write "
                            "vlan: {mode: access, access: 1} at ports[3]"),
              std::string::npos)
        << lines[0];
}

// Returns the only fault of the file with `added` at its end.
std::string fault_with(const std::string& added) {
    const Lines lines = faults_of(leaf("vnis: [" + one + "]") + added);
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? "" : lines[0];
}

TEST(Evpn, ItsTunnelsAreInNoOtherVlan) {
    const std::string of_one = "vlans:\n- {id: 1, ports: [host, two]}\n";
    EXPECT_EQ(faults_of(leaf("vnis: [" + one + "]") + of_one), Lines{});
    EXPECT_NE(fault_with("vlans:\n- {id: 1, ports: [host]}\n")
                  .find("ports[2].name: port two is not in VLAN 1; add it to that VLAN"),
              std::string::npos);
    EXPECT_NE(fault_with(of_one + "- {id: 2, ports: [host, two]}\n")
                  .find("vlans[1].ports[1]: is a tunnel of evpn.vnis[0], only in VLAN 1"),
              std::string::npos);
    const Lines trunk =
        faults_of(leaf("vnis: [" + one + "]", ", vlan: {mode: trunk, native: 1, allowed: [2]}"));
    ASSERT_EQ(trunk.size(), 1U);
    EXPECT_NE(trunk[0].find("ports[2].vlan.allowed: is not supported on a tunnel of evpn.vnis[0], "
                            "which is in one VLAN"),
              std::string::npos)
        << trunk[0];
}

TEST(Evpn, ItsVlanLearns) {
    EXPECT_NE(fault_with("vlans:\n- {id: 1, ports: [host, two], learning: false}\n")
                  .find("vlans[0].learning: is false in the VLAN of evpn.vnis[0]; write true"),
              std::string::npos);
}

TEST(Evpn, NoStaticEntryIsAtItsTunnels) {
    EXPECT_NE(fault_with("fdb: {static: [{address: '02:00:00:00:00:01', vlan: 1, port: two}]}\n")
                  .find("fdb.static[0].port: is a tunnel of evpn.vnis[0], whose addresses the "
                        "routing daemon sets"),
              std::string::npos);
}

TEST(Evpn, ItsTunnelsAreNeitherStickyNorPartOfAnother) {
    const Lines sticky = faults_of(leaf("vnis: [" + one + "]", ", fdb: {sticky: true}"));
    ASSERT_EQ(sticky.size(), 1U);
    EXPECT_NE(sticky[0].find("ports[2].fdb.sticky: is not supported on a tunnel of evpn.vnis[0]"),
              std::string::npos);
    const Lines member =
        faults_of(leaf("vnis: [" + one + "]") + "aggregations: [{name: pair, ports: [two]}]\n");
    ASSERT_EQ(member.size(), 1U);
    EXPECT_NE(member[0].find("is a tunnel of evpn.vnis[0]; leave it out"), std::string::npos);
}

TEST(Evpn, ItsTunnelsAreOverOnePort) {
    const Lines lines =
        faults_of(leaf("vnis: [" + one + "]",
                       "}\n- {name: wan2, device: 'ring:c', mtu: 1558, underlay: "
                       "{address: 198.51.100.1/24}, vlan: {mode: access, access: 4001}}\n"
                       "- {name: three, device: 'vxlan:wan2/198.51.100.3/100'"));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("ports[4].device: is over wan2, and ports[2] of the same network over "
                            "wan; name one port below"),
              std::string::npos)
        << lines[0];
}

TEST(Evpn, StaysAsItIsWhileTheSwitchRuns) {
    const Configuration running = read(leaf("vnis: [" + one + "]"));
    const Configuration next =
        read(leaf("vnis: [{vni: 100, device: vx100, local_device: sl101}], grace: 5s, "
                  "daemon_socket: /run/x"));
    EXPECT_TRUE(difference_needing_restart(running, running).empty());
    EXPECT_EQ(difference_needing_restart(running, next).size(), 3U);
}

TEST(Evpn, ATunnelOfItsNetworksDoesNotGo) {
    const Configuration running = read(leaf("vnis: [" + one + "]"));
    Configuration next = running;
    next.ports[3].vacant = true;
    next.settings.ports[3] = {};
    EXPECT_TRUE(difference_needing_restart(running, next).empty()) << "one of no network";
    next.ports[2].vacant = true;
    next.settings.ports[2] = {};
    const Lines lines = lines_of(difference_needing_restart(running, next));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("ports: cannot change from those with two to those without it"),
              std::string::npos)
        << lines[0];
}

}  // namespace
}  // namespace sluice::config
