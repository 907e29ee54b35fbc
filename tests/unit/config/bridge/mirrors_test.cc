#include "config/bridge/mirrors.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string four_ports =
    "ports: [{device: ring:a}, {device: ring:b}, {device: ring:c}, {device: ring:d}]\n";

TEST(MirrorsOf, PortsByName) {
    const auto read = load_text(four_ports +
                                    "mirrors:\n"
                                    "  - {from: [p0, p2], to: p3}\n"
                                    "  - {from: [p3], direction: egress, to: p1, bridged: true}\n",
                                "x.yaml");
    ASSERT_TRUE(read.has_value());
    const auto& made = read->settings.mirrors;
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[0].from, 0b0101U);
    EXPECT_EQ(made[0].direction, MirrorDirection::both);
    EXPECT_EQ(made[0].to, 3);
    EXPECT_FALSE(made[0].bridged);
    EXPECT_EQ(made[1].direction, MirrorDirection::egress);
    EXPECT_TRUE(made[1].bridged);
}

TEST(MirrorsOf, AreNoneUnlessWritten) {
    const auto read = load_text(four_ports, "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->settings.mirrors.empty());
}

TEST(MirrorsOf, LookFromOtherPortsOfTheSameFormat) {
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a}, {device: ring:b, format: afh_lite}]\n"
                  "mirrors: [{from: [p0, p1, p9], to: p0}, {from: [p1], to: nowhere}]\n"),
        (Lines{"x.yaml:2:19: mirrors[0].from[0]: p0 would get copies of its own frames; leave it "
               "out, or send the copies elsewhere",
               "x.yaml:2:23: mirrors[0].from[1]: frames of p1 are afh_lite, and p0 sends "
               "standard; give both ports one format",
               "x.yaml:2:27: mirrors[0].from[2]: no port is called \"p9\"; did you mean p0",
               "x.yaml:2:58: mirrors[1].to: no port is called \"nowhere\"; write the name of a "
               "port"}));
}

TEST(MirrorsOf, GoToAPortThatIsThereForThem) {
    EXPECT_EQ(
        faults_of(four_ports +
                  "vlans: [{id: 10, ports: [p0, p1, p3]}]\n"
                  "aggregations: [{name: x, ports: [p2]}]\n"
                  "mirrors: [{from: [p0], to: p2, bridged: true}, {from: [p1], to: p3}]\n"),
        (Lines{"x.yaml:2:34: vlans[0].ports[2]: p3 only sends copies; leave it out here, or write "
               "mirrors[1].bridged: true",
               "x.yaml:4:28: mirrors[0].to: p2 is a member of x; send the copies to a port of its "
               "own"}));
}

TEST(MirrorsOf, AgreeOnWhetherAPortIsBridged) {
    EXPECT_EQ(faults_of(four_ports +
                        "mirrors: [{from: [p0], to: p2, bridged: true}, {from: [p1], to: p2}]\n"),
              (Lines{"x.yaml:2:41: mirrors[0].bridged: differs from mirrors[1], for p2; write the "
                     "same for both",
                     "x.yaml:2:48: mirrors[1].bridged: differs from mirrors[0], for p2; write the "
                     "same for both"}));
}

}  // namespace
}  // namespace sluice::config
