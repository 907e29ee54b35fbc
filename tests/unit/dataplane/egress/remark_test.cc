#include "dataplane/egress/remark.h"

#include <gtest/gtest.h>

#include "dataplane/types/tag.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::FrameSpec;
using test::hex;
using test::Octets;
using test::Rig;
using test::settings_of;
using test::station;

constexpr std::size_t tag_control = 14;

// RFC 1071, over a whole header: 0 when its checksum is right.
uint16_t checksum_of(const uint8_t* network) {
    uint32_t sum = 0;
    for (std::size_t octet = 0; octet < 20; octet += 2) sum += read_16(network + octet);
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

Octets ipv4(uint8_t traffic_class) {
    Octets octets = test::octets_of(FrameSpec{.ether_type = 0x0800});
    octets[14] = 0x45;
    octets[15] = traffic_class;
    octets[23] = 17;
    write_16(&octets[24], checksum_of(&octets[14]));
    write_16(&octets[40], 0xFFFF);  // of UDP, a constant that is wrong
    return octets;
}

// A frame of priority 3 as it comes back.
Octets written(const RemarkSettings& settings, Octets octets, uint8_t network_offset,
               const FrameFormat& format = presets[0]) {
    Frame frame{};
    frame.data = octets.data();
    frame.length = static_cast<uint16_t>(octets.size());
    frame.priority = 3;
    frame.network_offset = network_offset;
    Remarker(settings, format).write({&frame, 1});
    return octets;
}

RemarkSettings pcp(uint8_t value) {
    RemarkSettings settings;
    settings.pcp[3] = value;
    return settings;
}
RemarkSettings dscp(uint8_t value) {
    RemarkSettings settings;
    settings.dscp[3] = value;
    return settings;
}

TEST(Remark, ATagOfTheSwitchHasItsPcpHoweverOftenTheDeviceRefusesIt) {
    Octets octets(tag_octets);
    const Octets untagged = test::octets_of(FrameSpec{.ether_type = 0x88B5});
    octets.insert(octets.end(), untagged.begin(), untagged.end());
    Frame frame{};
    frame.data = octets.data() + tag_octets;
    frame.length = static_cast<uint16_t>(untagged.size());
    frame.vlan = 10;
    frame.priority = 3;
    plan(frame, TagEdit::push_customer);
    const Remarker remarker(pcp(5), presets[0]);
    remarker.write({&frame, 1});
    EXPECT_EQ(remarker.pcp_of_own_tags()[3], 5);
    EXPECT_EQ(remarker.pcp_of_own_tags()[2], 2) << "of what is not named, the priority";
    rewrite_tag(frame, static_cast<uint16_t>(untagged.size()), remarker.pcp_of_own_tags()[3]);
    remarker.write({&frame, 1});
    EXPECT_EQ(read_16(frame.data + tag_control), 5 << 13 | 10);
}

TEST(Remark, IsOffUntilAPriorityHasAValue) {
    EXPECT_FALSE(Remarker().is_on());
    EXPECT_FALSE(Remarker(RemarkSettings{}, presets[0]).is_on());
    EXPECT_TRUE(Remarker(pcp(0), presets[0]).is_on());
    EXPECT_TRUE(Remarker(dscp(0), presets[0]).is_on());
}

TEST(Remark, ThePcpKeepsDeiAndVlan) {
    for (const uint8_t value : {uint8_t{0}, uint8_t{5}, uint8_t{7}}) {
        Octets octets = test::octets_of(FrameSpec{.tag = test::Tag{0x0ABC, 2}});
        octets[tag_control] |= 0x10;  // DEI
        const Octets after = written(pcp(value), octets, 0);
        EXPECT_EQ(read_16(&after[tag_control]), value << 13 | 0x1ABC);
    }
}

TEST(Remark, WithoutATagThereIsNoPcp) {
    const Octets plain = test::octets_of(FrameSpec{});
    EXPECT_EQ(written(pcp(5), plain, 0), plain);
    const Octets cut = hex("020000000101 020000000100 8100 6001");
    EXPECT_EQ(written(pcp(5), cut, 0), cut);
}

TEST(Remark, OfAFormatWithoutEtherTypeOctets12And13ArePayload) {
    const Octets octets = test::octets_of(FrameSpec{.tag = test::Tag{1, 2}});
    EXPECT_EQ(written(pcp(5), octets, 0, presets[3]), octets);
    EXPECT_NE(written(pcp(5), octets, 0, presets[2]), octets);
}

TEST(Remark, TheDscpOfIpv4KeepsEcnAndItsChecksumIsRight) {
    for (unsigned before = 0; before < 256; ++before) {
        for (const uint8_t value : {uint8_t{0}, uint8_t{26}, uint8_t{63}}) {
            const Octets octets = ipv4(static_cast<uint8_t>(before));
            const Octets after = written(dscp(value), octets, 14);
            EXPECT_EQ(after[15], unsigned{value} << 2 | (before & 3));
            EXPECT_EQ(checksum_of(&after[14]), 0) << before;
            EXPECT_EQ(read_16(&after[40]), 0xFFFF);
        }
    }
}

TEST(Remark, TheDscpOfIpv6KeepsEcnAndFlowLabel) {
    Octets octets = test::octets_of(FrameSpec{.ether_type = 0x86DD});
    write_16(&octets[14], 0x6E7A);
    write_16(&octets[16], 0xBCDE);
    const Octets after = written(dscp(48), octets, 14);
    EXPECT_EQ(read_16(&after[14]), 0x6000 | 48 << 6 | 0x003A);
    EXPECT_EQ(read_16(&after[16]), 0xBCDE);
}

TEST(Remark, APriorityWithoutAValuePasses) {
    RemarkSettings of_another;
    of_another.dscp[2] = 1;
    of_another.pcp[2] = 1;
    EXPECT_EQ(written(of_another, ipv4(0xB8), 14), ipv4(0xB8));
}

Settings rewriting(std::size_t ports) {
    Settings settings = settings_of(ports);
    for (PortSettings& port : settings.ports) {
        port.classify.dscp_to_priority[46] = 3;
        port.remark = dscp(26);
    }
    return settings;
}

TEST(Remark, IsDoneOnceHoweverOftenTheDeviceRefuses) {
    Rig rig(rewriting(2));
    rig.receive(0, {ipv4(0xB9)}, "a");
    rig.slot();
    rig.transmit(1, 0);
    rig.transmit(1, 0);
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_EQ(rig.buffer(0).octets[15], 26 << 2 | 1);
    EXPECT_EQ(checksum_of(&rig.buffer(0).octets[14]), 0);
    EXPECT_TRUE(rig.at_rest());
}

// Copies of a flooded frame share their octets, and all would have one port's mark.
TEST(Remark, AFloodedFrameKeepsWhatItCameWith) {
    Rig rig(rewriting(3));
    Octets octets = ipv4(0xB8);
    write_address(octets.data(), test::broadcast);
    rig.receive(0, {octets}, "a");
    rig.run();
    EXPECT_EQ(rig.sent(1) + rig.sent(2), "aa");
    EXPECT_EQ(rig.buffer(0).octets, octets);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
