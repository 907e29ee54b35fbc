#include "config/port/flow_control.h"

#include <gtest/gtest.h>

#include "config/difference.h"
#include "config/loader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Of a port that pauses by its device, what is wrong with `more` at it.
Lines faults_with(const std::string& pfc, const std::string& more = "") {
    return faults_of("ports: [{device: 'ring:a,queues=8', lossless: [3], pfc: {by: nic" + pfc +
                     "}" + more + "}]\n");
}

bool one_says(const Lines& faults, const std::string& what) {
    return faults.size() == 1 && faults[0].find(what) != std::string::npos;
}

TEST(FlowControlByNic, KeepsTwoBurstsWhateverTheLink) {
    for (const char* speed : {"1G", "100G"}) {
        const auto read =
            load_text("ports: [{device: 'ring:a,queues=8', speed: " + std::string(speed) +
                          ", lossless: [3], pfc: {by: nic}}]\n",
                      "x.yaml");
        ASSERT_TRUE(read.has_value());
        const PfcSettings& pfc = read->settings.ports[0].pfc;
        EXPECT_EQ(pfc.by, PfcBy::queues);
        EXPECT_EQ(pfc.headroom, Bytes(2 * 64 * 1536)) << speed;
        EXPECT_EQ(pfc.xon, pfc.headroom);
        EXPECT_EQ(pfc.xoff, pfc.headroom * 2);
    }
    EXPECT_TRUE(one_says(faults_with(", headroom: 191KiB"),
                         "191KiB is below the 192KiB that two bursts of 64 frames take; write "
                         "192KiB or more"));
    EXPECT_EQ(faults_with(", headroom: 192KiB"), Lines{});
}

TEST(FlowControlByNic, HasNothingThatIsOfPauseFrames) {
    for (const char* key : {"cable: 10m", "response: 10us", "pause: 100", "tx_limit: 5"}) {
        EXPECT_TRUE(one_says(faults_with(", " + std::string(key)), "with by: nic none is sent"))
            << key;
    }
    EXPECT_EQ(faults_with(", rx_limit: 5, link_pause: true, peer: 02:00:00:00:00:01"), Lines{});
    EXPECT_EQ(faults_of("defaults: {pfc: {cable: 10m}}\n"
                        "ports: [{device: 'ring:a,queues=8', lossless: [3], pfc: {by: nic}}]\n"),
              Lines{})
        << "that is for others";
}

TEST(FlowControlByNic, GoesWithNothingThatItCannotDo) {
    EXPECT_TRUE(one_says(faults_with(", watchdog: {action: forward}"), "nobody can send"));
    EXPECT_TRUE(one_says(faults_with("", ", dcbx: {willing: [pfc]}"), "made at the start"));
    EXPECT_TRUE(one_says(faults_with("", ", lanes: [0, 0]"), "pfc.by: nic has for priorities"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'ring:a,queues=8', flow_control: none, "
                                   "lossless: [], pfc: {by: nic}}]\n"),
                         "is nic where flow_control is none"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'ring:a,queues=8', pfc: {by: nic}}]\n"),
                         "without lossless priorities"));
}

TEST(FlowControlByNic, IsNothingWhereNoPriorityPauses) {
    const auto read = load_text("defaults: {pfc: {by: nic}}\nports: [{device: 'ring:a'}]\n", "x");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->settings.ports[0].pfc.by, PfcBy::frames);
}

TEST(FlowControlByNic, ChangesByARestart) {
    const auto of = [](const std::string& rest) {
        return *load_text("ports: [{device: 'ring:a,queues=8', " + rest + "}]\n", "x.yaml");
    };
    const auto three = of("lossless: [3], pfc: {by: nic}");
    EXPECT_EQ(difference_needing_restart(three, of("lossless: [3]")).size(), 1U);
    EXPECT_EQ(difference_needing_restart(three, of("lossless: [3, 4], pfc: {by: nic}")).size(), 1U);
    EXPECT_TRUE(difference_needing_restart(three, three).empty());
    EXPECT_TRUE(difference_needing_restart(of("lossless: [3]"), of("lossless: [4]")).empty());
}

}  // namespace
}  // namespace sluice::config
