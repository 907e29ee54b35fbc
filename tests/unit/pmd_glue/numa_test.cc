#include "pmd_glue/numa.h"

#include <gtest/gtest.h>

#include "tests/unit/pmd_glue/sysfs.h"

namespace sluice::pmd {
namespace {

std::optional<unsigned> node_of(const Sysfs& sysfs, const std::string& device) {
    return NumaNodes(sysfs.root()).of_device(parse_device(device).value());
}

TEST(NumaNodes, ACpuIsOnTheNodeThatItsFolderLinksTo) {
    Sysfs sysfs(12);
    sysfs.add_cpu(0, 0);
    sysfs.add_cpu(7, 11);
    const NumaNodes nodes(sysfs.root());
    EXPECT_EQ(nodes.of_cpu(0), 0U);
    EXPECT_EQ(nodes.of_cpu(7), 11U);
    EXPECT_EQ(nodes.of_cpu(8), 0U);  // of which nothing is said
}

TEST(NumaNodes, ADeviceIsOnItsNodeOrOnNone) {
    Sysfs sysfs(2);
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
    const Sysfs one(1);
    const Sysfs two(2);
    EXPECT_FALSE(NumaNodes(one.root()).several());
    EXPECT_TRUE(NumaNodes(two.root()).several());
    EXPECT_FALSE(NumaNodes("/nowhere").several());
}

}  // namespace
}  // namespace sluice::pmd
