#include "config/port/tunnels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "config/device_kind.h"
#include "config/difference.h"
#include "config/loader.h"
#include "config/places.h"
#include "config/port/tunnel_kinds.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Port 0 below, port 1 a tunnel over it, unless one of them says otherwise.
std::string ports(const std::string& below, const std::string& tunnel = "",
                  const std::string& to = "192.0.2.2/100") {
    return "ports:\n"
           "  - {name: wan/1, device: ring:a, underlay: {address: 192.0.2.1/24" +
           below + "}\n  - {name: far, device: vxlan:wan/1/" + to + tunnel + "}\n";
}

Configuration loaded(const std::string& text) {
    auto read = load_text(text, "x.yaml");
    EXPECT_TRUE(read.has_value());
    return read ? std::move(*read) : Configuration{};
}

std::string only_fault(const std::string& text) {
    const Lines lines = faults_of(text);
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? "" : lines.front();
}

TEST(Tunnels, NameThePortBelowAndTheOtherEnd) {
    const Configuration read = loaded(ports("}", ", next_hop: 02:00:00:00:00:05"));
    ASSERT_TRUE(read.ports[1].tunnel);
    const TunnelConfig& tunnel = *read.ports[1].tunnel;
    EXPECT_EQ(tunnel.underlay, "wan/1");
    const auto& vxlan = std::get<VxlanTunnel>(tunnel.encapsulation);
    EXPECT_EQ(vxlan.remote, Ipv4Address{0xC000'0202});
    EXPECT_EQ(vxlan.vni, 100U);
    EXPECT_EQ(tunnel.next_hop, MacAddress{0x0200'0000'0005});
    EXPECT_EQ(read.settings.ports[1].underlay, 0);
    EXPECT_EQ(read.settings.ports[0].underlay, no_underlay);
    EXPECT_FALSE(read.ports[0].tunnel);
    EXPECT_EQ(to_text(*read.ports[0].underlay->address), "192.0.2.1");
}

// A link that says otherwise changes neither (control/publish.h).
TEST(Tunnels, HaveTheSpeedThatIsWrittenBelow) {
    const Configuration unwritten = loaded(ports("}", ""));
    EXPECT_FALSE(unwritten.ports[1].speed_written);
    const Configuration below = loaded(ports("}, speed: 10M", ""));
    EXPECT_TRUE(below.ports[1].speed_written);
    EXPECT_EQ(below.settings.ports[1].speed.count(), 10'000'000);
    const Configuration own = loaded(ports("}, speed: 10M", ", speed: 5M"));
    EXPECT_EQ(own.settings.ports[1].speed.count(), 5'000'000);
}

TEST(Tunnels, GoByTheGatewayToWhomIsNotOnTheLink) {
    const Configuration read =
        loaded(ports(", gateway: 192.0.2.254}", "", "198.51.100.1/16777215"));
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(to_text(*below.next_hop(Ipv4Address{0xC633'6401})), "192.0.2.254");
    EXPECT_EQ(to_text(*below.next_hop(Ipv4Address{0xC000'0209})), "192.0.2.9");
}

TEST(Tunnels, TakeTheDscpsThatAreWritten) {
    const Configuration read = loaded(ports(", dscp: {3: 26}}"));
    EXPECT_EQ(read.ports[0].underlay->marks.dscps, (OuterDscps{0, 8, 16, 26, 32, 40, 48, 56}));
}

TEST(Tunnels, HaveTheLargestFrameThatFitsAndTheSpeedBelow) {
    const Configuration read =
        loaded("defaults: {mtu: 9000}\n" + ports("}, mtu: 1558, speed: 25G"));
    EXPECT_EQ(read.ports[1].mtu, Bytes(1500));
    EXPECT_EQ(read.settings.ports[1].max_frame, Bytes(1522));
    EXPECT_EQ(read.settings.ports[1].speed, BitsPerSecond(25'000'000'000));
}

TEST(Tunnels, FitTheMtuBelow) {
    EXPECT_EQ(only_fault(ports("}", ", mtu: 1443")),
              "x.yaml:3:57: ports[1].mtu: 1443 and the 58 octets around it do not fit the mtu of "
              "1500 of wan/1; write 1442 or less, or mtu: 1501 or more there");
    EXPECT_EQ(faults_of(ports("}", ", mtu: 1442")), Lines{});
    EXPECT_NE(only_fault(ports("}, mtu: 100")).find("ports[0].mtu: leaves no room"),
              std::string::npos);
}

TEST(Tunnels, AreOfTheWorkerBelow) {
    const std::string two = "workers: {count: 2}\n";
    const Configuration read = loaded(two + ports("}, worker: 1"));
    EXPECT_EQ(read.settings.ports[1].worker, 1);
    EXPECT_NE(only_fault(two + ports("}, worker: 1", ", worker: 0"))
                  .find("ports[1].worker: is 0, and port wan/1 below it is polled by worker 1"),
              std::string::npos);
    EXPECT_NE(only_fault(two + ports("}", ", lanes: [0]")).find("ports[1].lanes"),
              std::string::npos);
}

// Port 0 below with both versions, port 1 over it.
std::string over_both(const std::string& device, const std::string& keys,
                      const std::string& below = "") {
    return "ports:\n"
           "  - {name: wan/1, device: ring:a, underlay: {address: 192.0.2.1/24, address6: "
           "2001:db8:1::1/64" +
           below + "}}\n  - {name: far, device: '" + device + "'" + keys + "}\n";
}
std::string srv6(const std::string& path, const std::string& keys = ", local_sid: 2001:db8:9::d2",
                 const std::string& below = ", gateway6: fe80::1") {
    return over_both("srv6:wan/1/" + path, keys, below);
}
std::string mpls(const std::string& path, const std::string& keys = ", local_label: 99",
                 const std::string& below = ", gateway: 192.0.2.254") {
    return over_both("mpls:wan/1/" + path, keys, below);
}

// A VTEP on a loopback, as an EVPN leaf has it.
TEST(Tunnels, GoByAnyGatewayWhereTheAddressIsAlone) {
    std::string vtep = ports(", gateway: 192.0.2.254}", "", "198.51.100.1/7");
    const std::string_view usual = "192.0.2.1/24";
    vtep.replace(vtep.find(usual), usual.size(), "203.0.113.7/32");
    const Configuration read = loaded(vtep);
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(to_text(*below.next_hop(Ipv4Address{0xC633'6401})), "192.0.2.254");
    vtep.replace(vtep.find("192.0.2.254"), 11, "203.0.113.7");
    EXPECT_NE(only_fault(vtep).find("is no other host on"), std::string::npos);
    std::string over_ipv6 =
        over_both("vxlan:wan/1/2001:db8:2::2/7", "", ", gateway6: 2001:db8:9::1");
    EXPECT_NE(only_fault(over_ipv6).find("is no other host on"), std::string::npos);
    over_ipv6.replace(over_ipv6.find("::1/64"), 6, "::1/128");
    EXPECT_EQ(loaded(over_ipv6).ports[0].underlay->prefix6, 128);
}

TEST(Tunnels, GoBySegments) {
    const Configuration read =
        loaded(srv6("2001:db8:a::1,2001:db8:2::d2", ", local_sid: 2001:db8:9::d2"));
    ASSERT_TRUE(read.ports[1].tunnel);
    const auto& tunnel = std::get<Srv6Tunnel>(read.ports[1].tunnel->encapsulation);
    EXPECT_EQ(read.ports[1].tunnel->underlay, "wan/1");
    EXPECT_EQ(tunnel.count, 2);
    EXPECT_EQ(to_text(tunnel.segments[1]), "2001:db8:2::d2");
    EXPECT_EQ(to_text(tunnel.local_sid), "2001:db8:9::d2");
    EXPECT_TRUE(tunnel.reduced);
    EXPECT_EQ(read.ports[1].mtu, Bytes(1500 - 22 - 40 - 24));
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(to_text(*below.next_hop(facts_of(tunnel).first)), "fe80::1");
    EXPECT_EQ(to_text(*below.next_hop(*ipv6_of("2001:db8:1::9"))), "2001:db8:1::9");
    EXPECT_EQ(to_text(below.addresses().ipv6), "2001:db8:1::1");
}

TEST(Tunnels, AreInTheVlanBelow) {
    const Configuration read = loaded(ports(", vlan: 77, pcp: {3: 5}}"));
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(below.addresses().vlan, 77);
    EXPECT_EQ(below.marks.pcps, (OuterPcps{0, 1, 2, 5, 4, 5, 6, 7}));
    EXPECT_EQ(read.ports[1].mtu, Bytes(1442)) << "a tag is no part of an mtu";
    const auto faults = difference_needing_restart(loaded(ports("}")), read);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].path, "ports[0].underlay");
}

TEST(Tunnels, GoByVxlanOverIpv6) {
    const Configuration read =
        loaded(over_both("vxlan:wan/1/2001:db8:2::2/100", "", ", gateway6: fe80::1"));
    const auto& tunnel = std::get<Vxlan6Tunnel>(read.ports[1].tunnel->encapsulation);
    EXPECT_EQ(read.ports[1].tunnel->underlay, "wan/1");
    EXPECT_EQ(to_text(tunnel.remote), "2001:db8:2::2");
    EXPECT_EQ(tunnel.vni, 100U);
    EXPECT_EQ(kind_of(tunnel).scheme, "vxlan");
    EXPECT_EQ(facts_of(tunnel).path, "2001:db8:2::2");
    EXPECT_EQ(read.ports[1].mtu, Bytes(1500 - 22 - 56));
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(to_text(*below.next_hop(facts_of(tunnel).first)), "fe80::1");
    EXPECT_EQ(to_text(*below.next_hop(*ipv6_of("2001:db8:1::9"))), "2001:db8:1::9");
}

TEST(Tunnels, HaveRoomForAWholeHeaderWhereItIsNotReduced) {
    const std::string keys = ", local_sid: 2001:db8:9::d2, reduced_srh: ";
    EXPECT_EQ(loaded(srv6("2001:db8:2::d2", keys + "true")).ports[1].mtu, Bytes(1438));
    EXPECT_EQ(loaded(srv6("2001:db8:2::d2", keys + "false")).ports[1].mtu, Bytes(1414));
}

TEST(Tunnels, GoByLabels) {
    const Configuration read =
        loaded(mpls("16001,100", ", local_label: 99, control_word: false, entropy_label: true",
                    ", gateway: 192.0.2.254, tc: {3: 5}"));
    const auto& tunnel = std::get<MplsTunnel>(read.ports[1].tunnel->encapsulation);
    EXPECT_EQ(tunnel.count, 2);
    EXPECT_EQ(tunnel.labels[0], 16001U);
    EXPECT_EQ(tunnel.labels[1], 100U);
    EXPECT_EQ(tunnel.local_label, 99U);
    EXPECT_FALSE(tunnel.control_word);
    EXPECT_TRUE(tunnel.entropy_label);
    EXPECT_EQ(read.ports[1].mtu, Bytes(1500 - 22 - 16));
    const UnderlayConfig& below = *read.ports[0].underlay;
    EXPECT_EQ(to_text(*below.next_hop(facts_of(tunnel).first)), "192.0.2.254");
    EXPECT_EQ(below.marks.tcs, (OuterTcs{0, 1, 2, 5, 4, 5, 6, 7}));
    EXPECT_EQ(faults_of(mpls("100", ", local_label: 99, next_hop: 02:00:00:00:00:05", "")),
              Lines{});
}

// One tunnel of each form in a device kind's row, with the keys that the form needs.
TEST(Tunnels, AreTakenInEachFormThatTheirRowShows) {
    const std::map<std::string, std::string> of_form = {
        {"vxlan:UNDERLAY/REMOTE/VNI", over_both("vxlan:wan/1/192.0.2.2/7", "")},
        {"vxlan:UNDERLAY/VNI", over_both("vxlan:wan/1/7", ", remotes: [192.0.2.2]")},
        {"vxlan:UNDERLAY", over_both("vxlan:wan/1", ", remotes: [192.0.2.2], vnis: {1: 7}")},
        {"srv6:UNDERLAY/SID[,SID...]", srv6("2001:db8:1::d2")},
        {"mpls:UNDERLAY/LABEL[,LABEL...]", mpls("100,101")},
    };
    std::size_t shown = 0;
    for (const DeviceTraits& row : device_kinds) {
        if (!row.is_tunnel()) continue;
        const std::string_view between = " or ";
        for (std::string_view rest = row.form; !rest.empty(); ++shown) {
            const std::string_view form = rest.substr(0, rest.find(between));
            rest.remove_prefix(std::min(form.size() + between.size(), rest.size()));
            const auto sample = of_form.find(std::string(form));
            ASSERT_NE(sample, of_form.end()) << "add a sample of the form " << form;
            EXPECT_EQ(faults_of(sample->second), Lines{});
        }
    }
    EXPECT_EQ(shown, of_form.size()) << "a form is in no row of config/device_kind.h";
}

struct Wrong {
    std::string text;
    std::string fault;
};

class TunnelFaults : public testing::TestWithParam<Wrong> {};

TEST_P(TunnelFaults, AreReportedWithWhatIsRight) {
    const std::string fault = only_fault(GetParam().text);
    EXPECT_NE(fault.find(GetParam().fault), std::string::npos) << fault;
}

INSTANTIATE_TEST_SUITE_P(
    Tunnels, TunnelFaults,
    testing::Values(
        Wrong{ports("}", "", "fd00::2/100"),
              "port wan/1 has no IPv6 address; write underlay.address6 at wan/1"},
        Wrong{over_both("vxlan:wan/1/2001:db8:1::1/7", ""),
              "2001:db8:1::1 is the address of wan/1 itself"},
        Wrong{over_both("vxlan:wan/1/2001:db8:1::/7", ""), "2001:db8:1:: is no address of a host"},
        Wrong{over_both("vxlan:wan/1/fe80::7/7", ""), "fe80::7 is no address of a host"},
        Wrong{over_both("vxlan:wan/1/ff02::7/7", ""), "ff02::7 is no address of a host"},
        Wrong{over_both("vxlan:wan/1/::ffff:192.0.2.2/7", ""), "is no address of a host"},
        Wrong{over_both("vxlan:wan/1/2001:db8:2::2/7", ""),
              "2001:db8:2::2 is not on the network of wan/1; write underlay.gateway6 at wan/1"},
        Wrong{srv6("fe80::7"), "write srv6:PORT/SID"},
        Wrong{ports(", pcp: {3: 5}}"), "underlay.pcp: needs a tag, but has no VLAN"},
        Wrong{ports(", vlan: 4095}"), "underlay.vlan"},
        Wrong{
            srv6("2001:db8:2::1,2001:db8:2::2,2001:db8:2::3,2001:db8:2::4",
                 ", local_sid: 2001:db8:9::d2, reduced_srh: false", ", gateway6: fe80::1, vlan: 7"),
            "130 octets before a frame with the tag of underlay.vlan, and there is room for 128"},
        Wrong{mpls("100", ", local_label: 99", ", gateway: 192.0.2.254, dscp: {3: 5}"),
              "dscp: no vxlan: or srv6: is over wan/1"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address6: 2001:db8::/64}}\n",
              "is no IPv6 address of a host with a prefix length"},
        Wrong{ports("}", "", "192.0.2.2/0"), "write vxlan:PORT/ADDRESS/VNI"},
        Wrong{ports("}", "", "192.0.2.2/16777216"), "a VNI of 1 to 16777215"},
        Wrong{ports("}", "", "192.0.2.1/7"), "192.0.2.1 is the address of wan/1 itself"},
        Wrong{ports("}", "", "192.0.2.255/7"), "192.0.2.255 is no address of a host"},
        Wrong{ports("}", "", "224.0.0.1/7"), "224.0.0.1 is no address of a host"},
        Wrong{ports("}", "", "198.51.100.1/7"), "write underlay.gateway at wan/1"},
        Wrong{ports(", gateway: 198.51.100.1}"), "is no other host on"},
        Wrong{ports(", gateway: 192.0.2.1}"), "is no other host on"},
        Wrong{ports("}", ", format: afh_lite"),
              "ports[1].format: is not supported on a tunnel, which carries Ethernet; write "
              "standard, or leave it out"},
        Wrong{ports("}") + "aggregations: [{name: both, ports: [wan/1]}]\n",
              "ports[0].underlay: is not supported on a member of both; write it at a port of no "
              "aggregation"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: 192.0.2.0/24}}\n",
              "is no IPv4 address of a host with a prefix length"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: fd00::1/64}}\n",
              "one of IPv6 is address6"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: 192.0.2.1}}\n",
              "write one such as 192.0.2.1/24"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: 192.0.2.1/24, address6: "
              "2001:db8::1}}\n",
              "underlay.address6: \"2001:db8::1\" is no IPv6 address of a host with a prefix"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: 192.0.2.1/33, address6: "
              "2001:db8::1/64}}\n",
              "underlay.address: \"192.0.2.1/33\" is no IPv4 address of a host with a prefix"},
        Wrong{srv6("2001:db8:2::d2", ""), "local_sid: is missing"},
        Wrong{srv6("2001:db8:2::d2", ", local_sid: ff02::1"), "is no SID"},
        Wrong{srv6("192.0.2.9"), "write srv6:PORT/SID[,SID...] with 1 to 4 IPv6 addresses"},
        Wrong{srv6("2001:db8:2::1,2001:db8:2::2,2001:db8:2::3,2001:db8:2::4,2001:db8:2::5"),
              "write srv6:PORT/SID"},
        Wrong{srv6("2001:db8:2::d2,"), "write srv6:PORT/SID"},
        Wrong{srv6("2001:db8:9::d2"), "2001:db8:9::d2 is an address of this end"},
        Wrong{srv6("2001:db8:2::d2", ", local_sid: 2001:db8:1::1"),
              "local_sid: is the address of wan/1 itself"},
        Wrong{srv6("2001:db8:2::d2", ", local_sid: 2001:db8:9::d2", ""),
              "2001:db8:2::d2 is not on the network of wan/1; write underlay.gateway6 at wan/1"},
        Wrong{srv6("2001:db8:2::d2", ", local_sid: 2001:db8:9::d2, control_word: false"),
              "control_word: is only valid with mpls:"},
        Wrong{srv6("2001:db8:2::d2", ", local_sid: 2001:db8:9::d2", ", gateway6: 2001:db8:7::1"),
              "is no other host on"},
        Wrong{srv6("2001:db8:1::d2", ", local_sid: 2001:db8:9::d2", ", tc: {1: 2}"),
              "tc: no mpls: is over wan/1"},
        Wrong{srv6("2001:db8:2::d2") +
                  "  - {device: 'srv6:wan/1/2001:db8:3::1', local_sid: 2001:db8:9::d2}\n",
              "ports[2].local_sid: is also that of ports[1]"},
        Wrong{mpls("100", ""), "local_label: is missing"},
        Wrong{mpls("15"), "write mpls:PORT/LABEL[,LABEL...] with 1 to 8 labels of 16 to 1048575"},
        Wrong{mpls("100", ", local_label: 99", ""), "write next_hop, or underlay.gateway at wan/1"},
        Wrong{mpls("100") + "  - {device: 'mpls:wan/1/101', local_label: 99}\n",
              "ports[2].local_label: is also that of ports[1]"},
        Wrong{ports("}", ", local_sid: 2001:db8::1"), "local_sid: is only valid with srv6:"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address6: 2001:db8::1/64}}\n"
              "  - {device: vxlan:a/192.0.2.2/7}\n",
              "port a has no IPv4 address"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address: 192.0.2.1/24}}\n"
              "  - {device: 'srv6:a/2001:db8::2', local_sid: 2001:db8:9::1}\n",
              "port a has no IPv6 address"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address6: fe80::1/64}}\n",
              "is no IPv6 address of a host with a prefix length"},
        Wrong{"ports:\n  - {name: a, device: ring:a, underlay: {address6: 2001:db8::1/64, "
              "gateway: 192.0.2.1}}\n",
              "needs address"},
        Wrong{"ports:\n  - {name: a, device: ring:a, next_hop: 02:00:00:00:00:01}\n",
              "ports[0].next_hop: is only valid on a tunnel port"},
        Wrong{"ports:\n  - {name: a, device: ring:a}\n  - {device: vxlan:a/192.0.2.2/7}\n",
              "port a has no address"},
        Wrong{"ports:\n  - {name: a, device: ring:a}\n  - {device: vxlan:b/192.0.2.2/7}\n",
              "no port is called \"b\""},
        Wrong{ports("}") + "  - {device: vxlan:far/192.0.2.9/7}\n", "far is a tunnel itself"},
        Wrong{ports("}", ", underlay: {address: 192.0.2.9/24}"),
              "is not supported on a tunnel port"},
        Wrong{ports("}, format: afh_lite"), "carry no IP headers"},
        Wrong{"workers: {count: 2}\n"
              "ports:\n  - {name: wan/1, device: \"pci:0000:01:00.0,queues=2\", lanes: [0, 1], "
              "underlay: {address: 192.0.2.1/24}}\n",
              "ports[0].lanes: several receive queues are not supported"}));

TEST(Tunnels, GoNowhereTwice) {
    EXPECT_NE(only_fault(ports("}") + "  - {device: vxlan:wan/1/192.0.2.2/0100}\n")
                  .find("has the same destination as ports[1].device"),
              std::string::npos);
    EXPECT_EQ(faults_of(ports("}") + "  - {device: vxlan:wan/1/192.0.2.2/101}\n" +
                        "  - {device: vxlan:wan/1/192.0.2.3/100}\n"),
              Lines{});
}

TEST(Tunnels, KeepWhatIsBelowWhileTheyRun) {
    const Configuration running = loaded(ports("}"));
    const auto faults = difference_needing_restart(running, loaded(ports(", dscp: {3: 26}}")));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].path, "ports[0].underlay");
    EXPECT_TRUE(
        difference_needing_restart(running, loaded(ports("}", ", next_hop: 02:00:00:00:00:05")))
            .empty());
}

TEST(Tunnels, KeepWhatTheirKeysSayWhileTheyRun) {
    const Configuration running = loaded(srv6("2001:db8:2::d2"));
    const auto faults = difference_needing_restart(
        running, loaded(srv6("2001:db8:2::d2", ", local_sid: 2001:db8:9::d3")));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].path, "ports[1].local_sid");
    // The headers get another length: an mtu that is not written is not reported.
    const auto labels = difference_needing_restart(
        loaded(mpls("100")), loaded(mpls("100", ", local_label: 99, control_word: false")));
    ASSERT_EQ(labels.size(), 1U);
    EXPECT_EQ(labels[0].path, "ports[1].control_word");
    const auto both = difference_needing_restart(
        loaded(mpls("100")), loaded(mpls("100", ", local_label: 98, mtu: 1400")));
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].path, "ports[1].local_label");
    EXPECT_EQ(both[1].path, "ports[1].mtu");
    const auto header = difference_needing_restart(
        running, loaded(srv6("2001:db8:2::d2", ", local_sid: 2001:db8:9::d2, reduced_srh: false")));
    ASSERT_EQ(header.size(), 1U);
    EXPECT_EQ(header[0].path, "ports[1].reduced_srh");
}

// The last one over a port takes the classes that are written there with it.
TEST(Tunnels, ByLabelsLeaveNoTrafficClassesBehind) {
    const std::string classes = ", gateway: 192.0.2.254, tc: {3: 5}";
    const std::string keys = ", local_label: 99";
    Configuration running = loaded(mpls("100", keys, classes));
    Configuration without = loaded(mpls("100", keys));
    EXPECT_EQ(difference_needing_restart(running, without).size(), 1U);
    without.ports[1] = {};
    without.ports[1].vacant = true;
    EXPECT_TRUE(difference_needing_restart(running, without).empty());
    EXPECT_TRUE(difference_needing_restart(without, running).empty());
    // The same holds for the DSCPs of a tunnel over IP.
    const std::string path = "2001:db8:1::d2";
    const std::string sid = ", local_sid: 2001:db8:9::d2";
    running = loaded(srv6(path, sid, ", dscp: {3: 5}"));
    without = loaded(srv6(path, sid, ""));
    EXPECT_EQ(difference_needing_restart(running, without).size(), 1U);
    without.ports[1] = {};
    without.ports[1].vacant = true;
    EXPECT_TRUE(difference_needing_restart(running, without).empty());
}

TEST(Tunnels, FindThePortBelowWhereverItsPlaceIs) {
    const Configuration running = loaded(ports("}"));
    Configuration next = loaded(
        "ports:\n  - {name: far, device: vxlan:wan/1/192.0.2.2/100}\n"
        "  - {name: wan/1, device: ring:a, underlay: {address: 192.0.2.1/24}}\n");
    EXPECT_EQ(next.settings.ports[0].underlay, 1);
    ASSERT_TRUE(take_places(next, running, 0).empty());
    EXPECT_EQ(next.settings.ports[1].underlay, 0);
}

}  // namespace
}  // namespace sluice::config
