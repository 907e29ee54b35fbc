// What becomes of a burst on its way in. Floods, tags, policing, groups, aggregations, MTU and
// mirrors have tests of their own.
#include "dataplane/ingress_pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::FrameSpec;
using test::hex;
using test::Rig;
using test::settings_of;
using test::station;

TEST(IngressPipeline, BadFramesAreDroppedByName) {
    Rig rig(settings_of(2));
    rig.receive(
        0,
        {hex(""), hex("0200"), hex("020000000101 020000000100 08"),
         hex("020000000101 010000000100 88b5"), hex("020000000101 020000000100 8100 0001"),
         hex("020000000101 020000000100 0800 4500"), hex("020000000101 020000000100 86dd 6000")});
    EXPECT_EQ(rig.drops(0, Drop::runt), 3U);
    EXPECT_EQ(rig.drops(0, Drop::group_source), 1U);
    EXPECT_EQ(rig.drops(0, Drop::truncated_tag), 1U);
    EXPECT_EQ(rig.drops(0, Drop::truncated_ip), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(IngressPipeline, AFrameOfThePortsSizePassesAndOneOctetMoreDoesNot) {
    Settings settings = settings_of(2);
    settings.ports[0].max_frame = 1518_B;
    Rig rig(settings);
    rig.receive(0, "a", {.length = 1518});
    rig.receive(0, "b", {.length = 1519});
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_EQ(rig.drops(0, Drop::oversize), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(IngressPipeline, ReservedAddressesAreNeverForwarded) {
    Settings settings = settings_of(4);
    settings.fdb.static_entries.push_back(
        {.vlan = 1, .address = {0x0180'C200'0003}, .port = 2});  // not even then
    Rig rig(settings);
    for (unsigned last = 0; last < 16; ++last) {
        rig.receive(0, "a", {.to = {uint64_t{0x0180'C200'0000} + last}});
        rig.receive(0, "a", {.to = {uint64_t{0x0180'C200'0000} + last}, .tag = test::Tag{}});
    }
    rig.run();
    for (PortIndex port = 0; port < 4; ++port) EXPECT_EQ(rig.sent(port), "");
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 32U);
    rig.receive(0, "b", {.to = {0x0180'C200'0010}});  // the first that is forwarded
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_TRUE(rig.at_rest());
}

TEST(IngressPipeline, LldpIsCountedApart) {
    Rig rig(settings_of(4));
    rig.receive(0, "a", {.to = lldp_address, .ether_type = 0x88CC});
    rig.receive(0, "b", {.to = lldp_address, .ether_type = 0x88B5});
    rig.run();
    EXPECT_EQ(rig.drops(0, Drop::lldp), 1U);
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(IngressPipeline, MacControlIsObeyedOrCountedByItsFault) {
    Settings settings = settings_of(2);
    settings.ports[0].pfc.lossless = 0xFF;
    Rig rig(settings);
    const char* const pause =
        "0180c2000001 020000000100 8808 0101 0081"
        "0064 0000 0000 0000 0000 0000 0000 0064";
    rig.receive(0, {hex(pause), hex("0180c2000001 020000000100 8808 0001 ffff"),
                    hex("020000000101 020000000100 8808 0101"),
                    hex("0180c2000001 020000000100 8100 6001 8808 0101 0081")});
    EXPECT_EQ(rig.drops(0, Drop::mac_control), 1U);
    EXPECT_EQ(rig.drops(0, Drop::pause_opcode), 2U);
    EXPECT_EQ(rig.drops(0, Drop::pause_destination), 1U);
    EXPECT_EQ(rig.dataplane.egress(0).gate().xoffs_received(0), 1U);
    EXPECT_EQ(rig.dataplane.egress(0).gate().xoffs_received(7), 1U);
    EXPECT_EQ(rig.dataplane.egress(1).gate().xoffs_received(0), 0U);  // this port's business alone
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
