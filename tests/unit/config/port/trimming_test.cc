#include "config/port/trimming.h"

#include <gtest/gtest.h>

#include "config/loader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TrimSettings trim_of(const std::string& port) {
    const auto loaded = load_text("ports: [{device: ring:a" + port + "}]\n", "x.yaml");
    EXPECT_TRUE(loaded.has_value());
    return loaded->settings.ports[0].trim;
}

TEST(Trimming, NothingIsTrimmedUnlessADscpIs) { EXPECT_EQ(trim_of("").priorities, 0); }

TEST(Trimming, AllThatIsLossyIsTrimmedUnlessWritten) {
    const TrimSettings ready = trim_of(", lossless: [3], trim: {dscp: {0: 4, 10: 12}}");
    EXPECT_EQ(ready.priorities, 0xFF & ~0x08 & ~0x40);
    EXPECT_EQ(ready.queue, 6);
    EXPECT_EQ(ready.size.count(), 128);
    EXPECT_EQ(ready.share_128, 32);
    EXPECT_EQ(ready.dscp[0], 4);
    EXPECT_EQ(ready.dscp[10], 12);
    EXPECT_EQ(ready.dscp[1], TrimSettings::not_trimmed);
    const TrimSettings written =
        trim_of(", trim: {dscp: {0: 4}, priorities: [1, 2], queue: 5, size: 256, share: 0.5}");
    EXPECT_EQ(written.priorities, 0x06);
    EXPECT_EQ(written.queue, 5);
    EXPECT_EQ(written.size.count(), 256);
    EXPECT_EQ(written.share_128, 64);
}

TEST(Trimming, TheLastHopWritesADscpOfItsOwn) {
    const TrimSettings trim = trim_of(", trim: {dscp: {0: 4, 10: 12}, last_hop: 5}");
    EXPECT_EQ(trim.dscp[0], 5);
    EXPECT_EQ(trim.dscp[10], 5);
    EXPECT_EQ(trim.dscp[4], TrimSettings::not_trimmed);
}

TEST(Trimming, OfDefaultsAPortTakesBack) {
    const auto loaded = load_text(
        "defaults: {trim: {dscp: {0: 4}}}\n"
        "ports: [{device: ring:a}, {device: ring:b, trim: {dscp: {}}}]\n",
        "x.yaml");
    ASSERT_TRUE(loaded.has_value());
    EXPECT_NE(loaded->settings.ports[0].trim.priorities, 0);
    EXPECT_EQ(loaded->settings.ports[1].trim.priorities, 0);
}

TEST(Trimming, WhatIsLosslessIsNoPartOfIt) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, lossless: [6], trim: {dscp: {0: 4}}}\n"
                  "  - {device: ring:b, lossless: [3], trim: {dscp: {0: 4}, priorities: [3, 6]}}\n"
                  "  - {device: ring:c, lossless: [3], trim: {dscp: {0: 4}, queue: 3}}\n"),
        (Lines{"x.yaml:2:50: ports[0].trim.dscp: trimmed frames have priority 6, which is "
               "lossless; write a trim.queue that is lossy",
               "x.yaml:3:71: ports[1].trim.priorities[0]: priority 3 is lossless; leave it out, or "
               "remove it from lossless",
               "x.yaml:3:74: ports[1].trim.priorities[1]: priority 6 is that of trimmed frames; "
               "leave it out, or write another trim.queue",
               "x.yaml:4:65: ports[2].trim.queue: trimmed frames have priority 3, which is "
               "lossless; write a trim.queue that is lossy"}));
}

TEST(Trimming, NoPortTrimsWhatAnotherTrimmed) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, trim: {dscp: {0: 4}}}\n"
                  "  - {device: ring:b, trim: {dscp: {4: 8}}}\n"
                  "  - {device: ring:c, trim: {dscp: {1: 9}, last_hop: 0}}\n"
                  "  - {device: ring:d, trim: {dscp: {7: 7}}}\n"),
        (Lines{"x.yaml:2:39: ports[0].trim.dscp.0: trimmed frames with DSCP 4 would be trimmed "
               "again by ports[1].trim.dscp.4; write a DSCP that is not trimmed",
               "x.yaml:4:53: ports[2].trim.last_hop: trimmed frames with DSCP 0 would be trimmed "
               "again by ports[0].trim.dscp.0; write a DSCP that is not trimmed",
               "x.yaml:5:39: ports[3].trim.dscp.7: trimmed frames with DSCP 7 would be trimmed "
               "again by ports[3].trim.dscp.7; write a DSCP that is not trimmed"}));
}

TEST(Trimming, ItsRangesAreThoseOfHeadersAndHalfOfAPort) {
    const Lines faults = faults_of(
        "ports: [{device: ring:a, trim: {dscp: {0: 64}, size: 77, share: 0.51, last_hop: 64}}]\n");
    ASSERT_EQ(faults.size(), 4U);
    EXPECT_NE(faults[1].find("trim.size: \"77\" is out of range"), std::string::npos) << faults[1];
    EXPECT_NE(faults[2].find("trim.share"), std::string::npos) << faults[2];
}

TEST(Trimming, SomeFrameIsLongEnough) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, mtu: 500, trim: {dscp: {0: 4}, size: 522}}]\n"),
              Lines{"x.yaml:1:63: ports[0].trim.size: no frame of mtu 500 is longer than 522B; "
                    "write less than 522B"});
}

TEST(Trimming, NothingWritesOverItsDscp) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, trim: {dscp: {0: 4}}, "
                        "remark: {dscp: {5: 1, 6: 2}}}]\n"),
              Lines{"x.yaml:1:73: ports[0].remark.dscp.6: overwrites the DSCP of trimmed frames, "
                    "whose priority is 6; leave it out, or write another trim.queue"});
}

TEST(Trimming, WithoutADscpItsKeysHaveNoMeaning) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, trim: {size: 128}}]\n"),
              Lines{"x.yaml:1:39: ports[0].trim.size: has no meaning without trim.dscp; leave it "
                    "out, or write dscp: {0: 4} beside it"});
}

TEST(Trimming, OfFramesWithoutIpNothingIsTrimmed) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, format: afh_lite, trim: {dscp: {0: 4}}}]\n"),
              Lines{"x.yaml:1:57: ports[0].trim.dscp: frames of format afh_lite have no DSCP; "
                    "leave it out, or write a format that has it"});
}

}  // namespace
}  // namespace sluice::config
