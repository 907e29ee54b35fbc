#include "control/runtime/placement.h"

#include <gtest/gtest.h>

#include "tests/unit/pmd_glue/sysfs.h"

namespace sluice::control {
namespace {

using Nodes = std::vector<std::optional<unsigned>>;
using Indices = std::vector<std::size_t>;

// Two nodes of two CPUs each; ports are given to two workers in turn.
class PlacementTest : public testing::Test {
  protected:
    explicit PlacementTest(const std::string& nodes = "0-1") : sysfs_(nodes) {
        for (unsigned cpu = 0; cpu < 4; ++cpu) sysfs_.add_cpu(cpu, cpu / 2);
        sysfs_.add_nic("0000:01:00.0", 0);
        sysfs_.add_nic("0000:81:00.0", 1);
        sysfs_.add_nic("0000:81:00.1", 1);
    }
    Placement of(const std::vector<std::string>& devices, const std::vector<unsigned>& cpus) {
        config::Configuration configuration;
        configuration.settings.lanes = lanes_;
        std::vector<pmd::PortRequest> requests;
        for (std::size_t port = 0; port < devices.size(); ++port) {
            PortSettings settings;
            settings.worker = static_cast<WorkerIndex>(port % cpus.size());
            configuration.settings.ports.push_back(settings);
            requests.push_back({.name = "p" + std::to_string(port),
                                .device = pmd::parse_device(devices[port]).value()});
        }
        return place(configuration, requests, cpus, pmd::NumaNodes(sysfs_.root()));
    }

    pmd::Sysfs sysfs_;
    std::vector<LaneSettings> lanes_;
};

TEST_F(PlacementTest, ADevicesNodeHasThePoolOfItsPort) {
    const Placement found = of({"pci:01:00.0", "pci:81:00.0"}, {1, 3});
    EXPECT_EQ(found.pools, (Nodes{0, 1}));
    EXPECT_EQ(found.pool_of_port, (Indices{0, 1}));
    EXPECT_EQ(found.pool_of_worker, (Indices{0, 1}));
    EXPECT_EQ(found.node_of_worker, (std::vector<unsigned>{0, 1}));
    EXPECT_TRUE(found.notices.empty());
}

TEST_F(PlacementTest, AVirtualDeviceIsWhereItsWorkerIs) {
    const Placement found = of({"ring:a", "memif:/run/b", "tap:c"}, {3, 0});
    EXPECT_EQ(found.pools, (Nodes{0, 1}));
    EXPECT_EQ(found.pool_of_port, (Indices{1, 0, 1}));
    EXPECT_EQ(found.pool_of_worker, (Indices{1, 0}));
    EXPECT_TRUE(found.notices.empty());
}

TEST_F(PlacementTest, ANodeWithoutPortsHasNoPool) {
    const Placement found = of({"pci:81:00.0", "pci:81:00.1"}, {2, 0});
    EXPECT_EQ(found.pools, Nodes{1});
    EXPECT_EQ(found.pool_of_port, (Indices{0, 0}));
    EXPECT_EQ(found.pool_of_worker, (Indices{0, 0}));
    EXPECT_EQ(found.node_of_worker, (std::vector<unsigned>{1, 0}));
}

TEST_F(PlacementTest, APortFarFromItsWorkerIsReported) {
    const Placement found = of({"pci:01:00.0", "pci:81:00.0"}, {0, 1});
    EXPECT_EQ(found.pools, (Nodes{0, 1}));
    ASSERT_EQ(found.notices.size(), 1U);
    EXPECT_EQ(found.notices[0],
              "p1: its frame buffers are on NUMA node 1, but worker 1 on CPU 1 of node 0, so each "
              "frame crosses between nodes; choose a worker on node 1 with `ports[1].worker`, or "
              "its CPU with `workers.cores[1]`");
}

TEST_F(PlacementTest, ALaneFarFromItsPortIsReported) {
    lanes_ = {{.port = 0, .worker = 1}};
    const Placement found = of({"ring:a,queues=2"}, {0, 3});
    EXPECT_EQ(found.pools, Nodes{0});
    ASSERT_EQ(found.notices.size(), 1U);
    EXPECT_NE(found.notices[0].find("worker 1 on CPU 3 of node 1"), std::string::npos);
    EXPECT_NE(found.notices[0].find("`ports[0].lanes`"), std::string::npos);
}

TEST_F(PlacementTest, WhoCannotChooseHasOnePool) {
    Placement found = of({"pci:01:00.0", "pci:81:00.0"}, {0, 1});
    found.gather();
    EXPECT_TRUE(found.notices.empty());
    EXPECT_EQ(found.pools, Nodes{std::nullopt});
    EXPECT_EQ(found.pool_of_port, (Indices{0, 0}));
    EXPECT_EQ(found.pool_of_worker, (Indices{0, 0}));
}

class OneNode : public PlacementTest {
  protected:
    OneNode() : PlacementTest("0") {}
};

TEST_F(OneNode, HasOnePoolAnywhere) {
    EXPECT_EQ(of({"ring:a", "ring:b"}, {0, 1}).pools, Nodes{std::nullopt});
}

}  // namespace
}  // namespace sluice::control
