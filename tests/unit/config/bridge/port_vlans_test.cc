#include "config/bridge/port_vlans.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Settings settings_of(const std::string& text) {
    const auto configuration = load_text(text, "x.yaml");
    EXPECT_TRUE(configuration.has_value());
    return configuration ? configuration->settings : Settings{};
}

// The VLANs whose members, or untagged members, are `ports`, such as "10 20"; the first few.
std::string vlans_of(const std::array<PortSet, max_vlans>& sets, PortIndex port) {
    std::string text;
    int shown = 0;
    for (std::size_t vlan = 1; vlan < max_vlans && shown < 5; ++vlan) {
        if ((sets[vlan] & only(port)) == 0) continue;
        if (!text.empty()) text += ' ';
        text += std::to_string(vlan);
        ++shown;
    }
    return text;
}

const std::string modes =
    "ports:\n"
    "  - {device: ring:a, vlan: {mode: access, access: 10}}\n"
    "  - {device: ring:b, vlan: {mode: trunk, native: 5, allowed: [10, 30-31]}}\n"
    "  - {device: ring:c, vlan: {mode: trunk, allowed: [10], tpid: 0x88A8}}\n"
    "  - {device: ring:d}\n";

TEST(PortVlans, AModeMakesMembers) {
    const Settings read = settings_of(modes);
    EXPECT_TRUE(read.vlan.filtering);
    EXPECT_EQ(vlans_of(read.vlan.members, 0), "10");
    EXPECT_EQ(vlans_of(read.vlan.untagged, 0), "10");
    EXPECT_EQ(vlans_of(read.vlan.members, 1), "5 10 30 31");
    EXPECT_EQ(vlans_of(read.vlan.untagged, 1), "5");
    EXPECT_EQ(vlans_of(read.vlan.members, 2), "10");
    EXPECT_EQ(vlans_of(read.vlan.untagged, 2), "");
    EXPECT_EQ(vlans_of(read.vlan.members, 3), "1 2 3 4 5");  // of them all
}

TEST(PortVlans, AModeSaysWhatIsSeenAndTaken) {
    const Settings read = settings_of(modes);
    EXPECT_TRUE(read.ports[0].tagging.aware);
    EXPECT_EQ(read.ports[0].default_vlan, 10);
    EXPECT_EQ(read.ports[0].tagging.accept, FrameTypes::all);
    EXPECT_EQ(read.ports[1].default_vlan, 5);
    EXPECT_EQ(read.ports[1].tagging.accept, FrameTypes::all);
    EXPECT_EQ(read.ports[2].tagging.type, TagType::service);
    EXPECT_EQ(read.ports[2].tagging.accept, FrameTypes::tagged) << "it has no native VLAN";
    EXPECT_FALSE(read.ports[3].tagging.aware);
}

TEST(PortVlans, AnAccessPortMayTakeItsDefaultVlan) {
    const Settings read =
        settings_of("ports: [{device: ring:a, default_vlan: 7, vlan: {mode: access}}]\n");
    EXPECT_EQ(vlans_of(read.vlan.members, 0), "7");
}

TEST(PortVlans, ATransparentPortIsWhereVlansListIt) {
    const Settings read = settings_of(modes + "vlans: [{id: 10, ports: [p3]}]\n");
    EXPECT_EQ(read.vlan.members[10], 0b1111U);
    EXPECT_EQ(read.vlan.members[30], 0b0010U);
}

TEST(PortVlans, APortThatWritesItsOwnKeepsNothingOfTheDefaults) {
    const Settings read = settings_of(
        "defaults: {vlan: {mode: access, access: 9}}\n"
        "ports: [{device: ring:a}, {device: ring:b, vlan: {mode: trunk, allowed: [9]}}]\n");
    EXPECT_EQ(read.vlan.members[9], 0b11U);
    EXPECT_EQ(read.vlan.untagged[9], 0b01U);
}

TEST(PortVlans, KeysGoWithTheirMode) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, vlan: {mode: access, native: 10, allowed: [1-4094]}}\n"
                  "  - {device: ring:b, vlan: {tpid: 0x88A8, accept: tagged}}\n"
                  "  - {device: ring:c, vlan: {mode: trunk, accept: untagged}}\n"
                  "  - {device: ring:d, vlan: {mode: trunk, allowed: [20-10, x, 0-5, 4095]}}\n"),
        (Lines{
            "x.yaml:2:51: ports[0].vlan.native: has no meaning with mode access; leave it out, or "
            "write mode: trunk",
            "x.yaml:2:64: ports[0].vlan.allowed: has no meaning with mode access; leave it out, or "
            "write mode: trunk",
            "x.yaml:3:35: ports[1].vlan.tpid: has no meaning with mode transparent; leave it out, "
            "or write mode: access or trunk",
            "x.yaml:3:51: ports[1].vlan.accept: has no meaning with mode transparent; leave it "
            "out, or write mode: access or trunk",
            "x.yaml:4:50: ports[2].vlan.accept: a trunk without a native VLAN accepts no frame "
            "without a tag; write native, or accept: tagged",
            "x.yaml:5:52: ports[3].vlan.allowed[0]: \"20-10\" ends before it begins; write 10-20",
            "x.yaml:5:59: ports[3].vlan.allowed[1]: \"x\" is neither a VLAN nor a range; write a "
            "VLAN or a range from 1 to 4094 such as 100-200",
            "x.yaml:5:62: ports[3].vlan.allowed[2]: \"0-5\" is out of range; write a VLAN or a "
            "range from 1 to 4094 such as 100-200",
            "x.yaml:5:67: ports[3].vlan.allowed[3]: \"4095\" is out of range; write a VLAN or a "
            "range from 1 to 4094 such as 100-200"}));
}

TEST(PortVlans, APortWithAModeIsListedNowhereElse) {
    EXPECT_EQ(faults_of(modes + "vlans: [{id: 10, ports: [p0, p3]}]\n"),
              (Lines{"x.yaml:6:26: vlans[0].ports[0]: port p0 sets its VLANs itself; leave the "
                     "port out here, its vlan.mode decides"}));
}

TEST(PortVlans, AStaticEntryIsInAVlanOfItsPort) {
    EXPECT_EQ(faults_of(modes + "fdb:\n"
                                "  static:\n"
                                "    - {vlan: 30, address: 02:00:00:00:00:01, port: p1}\n"
                                "    - {vlan: 9, address: 02:00:00:00:00:01, port: p3}\n"
                                "    - {vlan: 30, address: 02:00:00:00:00:02, port: p0}\n"),
              (Lines{"x.yaml:10:52: fdb.static[2].port: port p0 is not in VLAN 30; give the port "
                     "that VLAN under its vlan"}));
}

TEST(PortVlans, ATagNeedsAnEtherTypeAndNothingElse) {
    EXPECT_EQ(faults_of("ports:\n"
                        "  - {device: ring:a, format: afh_gen1, vlan: {mode: access, access: 10}}\n"
                        "  - {device: ring:b, format: afh_gen2_16b, vlan: {mode: trunk}}\n"
                        "  - {device: ring:c, format: afh_lite, vlan: {mode: trunk}}\n"),
              Lines{"x.yaml:4:53: ports[2].vlan.mode: frames of format afh_lite have no EtherType, "
                    "so no tag of 802.1Q; write mode: transparent, or a format with ether_type: "
                    "true"});
}

}  // namespace
}  // namespace sluice::config
