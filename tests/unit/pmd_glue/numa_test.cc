#include "pmd_glue/numa.h"

#include <gtest/gtest.h>

#include "tests/unit/pmd_glue/sysfs.h"

namespace sluice::pmd {
namespace {

std::optional<unsigned> node_of(const Sysfs& sysfs, const std::string& device) {
    return NumaNodes(sysfs.root()).of_device(parse_device(device).value());
}

TEST(NumaNodes, ACpuIsOnTheNodeThatItsFolderLinksTo) {
    Sysfs sysfs("0,2-11");
    sysfs.add_cpu(0, 0);
    sysfs.add_cpu(7, 11);
    const NumaNodes nodes(sysfs.root());
    EXPECT_EQ(nodes.of_cpu(0), 0U);
    EXPECT_EQ(nodes.of_cpu(7), 11U);
    EXPECT_EQ(nodes.of_cpu(8), 0U);  // of which nothing is said
}

TEST(NumaNodes, ANodeWithoutMemoryDoesNotCount) {
    Sysfs sysfs("1");
    sysfs.add_cpu(0, 0);
    sysfs.add_cpu(1, 1);
    sysfs.add_nic("0000:01:00.0", 0);
    sysfs.add_nic("0000:81:00.0", 1);
    EXPECT_EQ(NumaNodes(sysfs.root()).of_cpu(0), 1U);
    EXPECT_EQ(NumaNodes(sysfs.root()).of_cpu(1), 1U);
    EXPECT_EQ(node_of(sysfs, "pci:01:00.0"), std::nullopt);
    EXPECT_EQ(node_of(sysfs, "pci:81:00.0"), 1U);
    EXPECT_FALSE(NumaNodes(sysfs.root()).several());
}

TEST(NumaNodes, ADeviceIsOnItsNodeOrOnNone) {
    Sysfs sysfs("0-1");
    sysfs.add_nic("0000:81:00.0", 1);
    sysfs.add_nic("0000:01:00.0", -1);
    sysfs.add_interface("eth1", 1);
    sysfs.add_interface("eth0", -1);
    EXPECT_EQ(node_of(sysfs, "pci:81:00.0"), 1U);
    EXPECT_EQ(node_of(sysfs, "pci:0000:01:00.0"), std::nullopt);
    EXPECT_EQ(node_of(sysfs, "pci:0000:02:00.0"), std::nullopt);
    EXPECT_EQ(node_of(sysfs, "af_xdp:eth1"), 1U);
    EXPECT_EQ(node_of(sysfs, "af_packet:eth1"), 1U);
    EXPECT_EQ(node_of(sysfs, "af_packet:eth0"), std::nullopt);
    EXPECT_EQ(node_of(sysfs, "ring:eth1"), std::nullopt);
    EXPECT_EQ(node_of(sysfs, "memif:/run/eth1"), std::nullopt);
}

TEST(NumaNodes, AMachineHasOneOrSeveral) {
    const Sysfs one("0");
    const Sysfs two("0,3");
    EXPECT_FALSE(NumaNodes(one.root()).several());
    EXPECT_TRUE(NumaNodes(two.root()).several());
    EXPECT_FALSE(NumaNodes("/nowhere").several());
}

}  // namespace
}  // namespace sluice::pmd
