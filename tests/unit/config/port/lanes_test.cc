#include "config/port/lanes.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "config/difference.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string two_workers = "workers: {count: 2}\n";

TEST(LanesOf, APortAreOfTheirWorkers) {
    const auto read = load_text(two_workers +
                                    "ports:\n"
                                    "  - device: ring:a\n"
                                    "  - {device: 'ring:b,queues=3', lanes: [0, 1, 0]}\n"
                                    "  - {device: 'ring:c,queues=2', lanes: [1, 0]}\n",
                                "x.yaml");
    ASSERT_TRUE(read.has_value());
    const Settings& settings = read->settings;
    EXPECT_EQ(settings.ports[1].worker, 0);
    EXPECT_EQ(settings.ports[2].worker, 1);
    ASSERT_EQ(settings.lanes.size(), 3U);
    EXPECT_EQ(settings.lanes[0].port, 1);
    EXPECT_EQ(settings.lanes[0].worker, 1);
    EXPECT_EQ(settings.lanes[1].port, 1);
    EXPECT_EQ(settings.lanes[1].worker, 0);
    EXPECT_EQ(settings.lanes[2].port, 2);
    EXPECT_EQ(settings.lanes[2].worker, 0);
}

TEST(LanesOf, APortThatWritesNoneAreNoInputsOfTheirOwn) {
    const auto read = load_text(one_port, "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->settings.lanes.empty());
}

TEST(LanesOf, APortNameWorkersThatThereAre) {
    EXPECT_EQ(faults_of(two_workers + "ports: [{device: 'ring:a,queues=2', lanes: [1, 2]}]\n"),
              (Lines{"x.yaml:2:48: ports[0].lanes[1]: there is no worker 2; write 0 to 1, or raise "
                     "workers.count"}));
}

TEST(LanesOf, APortBeginWithItsWorker) {
    EXPECT_EQ(
        faults_of(two_workers + "ports: [{device: 'ring:a,queues=2', worker: 0, lanes: [1, 0]}]\n"),
        (Lines{"x.yaml:2:45: ports[0].worker: is 0, but the first of lanes is worker 1; leave it "
               "out, or begin lanes with it"}));
    EXPECT_EQ(
        faults_of(two_workers + "ports: [{device: 'ring:a,queues=2', worker: 1, lanes: [1, 0]}]\n"),
        Lines{});
}

TEST(LanesOf, APortHaveQueues) {
    EXPECT_EQ(faults_of(two_workers + "ports: [{device: ring:a, lanes: [0, 1]}]\n"),
              (Lines{"x.yaml:2:33: ports[0].lanes: names 2 receive queues of a device with 1 "
                     "queue; write queues=2 in its device, where it has as many"}));
}

TEST(LanesOf, APortAreNoMoreThanInputs) {
    std::string text = two_workers + "ports:\n";
    for (int port = 0; port < 40; ++port) {
        text += fmt::format("  - {{device: 'ring:r{},queues=2', lanes: [0, 1]}}\n", port);
    }
    EXPECT_EQ(faults_of(text),
              (Lines{"x.yaml:27:42: ports[24].lanes: makes 65 inputs of 40 ports and their further "
                     "lanes; name 1 fewer"}));
}

TEST(LanesOf, APortTakeTheReserveOfTheirQueues) {
    const std::string text = two_workers +
                             "buffer: {size: 64KiB, reserved: 3KiB}\n"
                             "ports: [{device: 'ring:a,queues=2'LANES}]\n";
    const auto with = [&](const std::string& lanes) {
        std::string whole = text;
        return faults_of(whole.replace(whole.find("LANES"), 5, lanes));
    };
    EXPECT_EQ(with(""), Lines{});
    EXPECT_EQ(with(", lanes: [0, 1, 0]").size(), 2U);  // queues and reserve
}

TEST(LanesOf, APortNeedARestart) {
    const std::string port = "ports: [{device: 'ring:a,queues=2'";
    const auto before = load_text(two_workers + port + "}]\n", "x.yaml");
    const auto after = load_text(two_workers + port + ", lanes: [0, 1]}]\n", "x.yaml");
    ASSERT_TRUE(before && after);
    EXPECT_EQ(lines_of(difference_needing_restart(*before, *after)),
              (Lines{"x.yaml:2:44: ports[0].lanes: cannot change from none beside its worker to 1 "
                     "besides while running; keep none beside its worker, or restart sluiced"}));
}

}  // namespace
}  // namespace sluice::config
