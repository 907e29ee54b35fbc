#include "tools/sim/scenario/override.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

constexpr std::string_view text = R"(topology: {star: {hosts: 3}}
switch:
  defaults: {lossless: [3]}
flows:
  - {name: one, from: h1, to: h0, priority: 3}
  - {name: other, from: h2, to: h0, rate: 1G}
)";

std::vector<Override> changes(const std::vector<std::string>& words) {
    std::vector<Override> all;
    for (const std::string& word : words) all.push_back(parse_override(word).value());
    return all;
}
NetworkScenario with(const std::vector<std::string>& words) {
    auto read = read_scenario(text, "x.yaml", changes(words));
    if (read) return *read;
    for (const config::Fault& fault : read.error()) ADD_FAILURE() << config::to_string(fault);
    return {};
}
// Returns the first fault.
std::string fault_of(const std::vector<std::string>& words) {
    const auto read = read_scenario(text, "x.yaml", changes(words));
    return read ? "" : config::to_string(read.error().front());
}

TEST(Override, GoesBeforeWhatTheFileSays) {
    const NetworkScenario read = with({"flows[1].rate=5G", "topology.star.hosts=4"});
    EXPECT_EQ(read.flows[1].pace.rate, BitsPerSecond(5'000'000'000));
    EXPECT_EQ(read.hosts.size(), 4U);
}

TEST(Override, FindsAnItemByItsName) {
    const NetworkScenario read = with({"flows.other.rate=2G", "flows.one.size=64B"});
    EXPECT_EQ(read.flows[1].pace.rate, BitsPerSecond(2'000'000'000));
    EXPECT_EQ(read.flows[0].flow.mix.shortest, 64);
}

TEST(Override, AddsWhatTheFileLacks) {
    const NetworkScenario read =
        with({"switch.defaults.pfc.xoff=96KiB", "cable.length=20m", "run.time=2ms"});
    EXPECT_EQ(read.switches[0].settings.ports[0].pfc.xoff, Bytes(96 * 1024));
    EXPECT_EQ(read.switches[0].settings.ports[0].pfc.lossless, only_priority(3));
    EXPECT_EQ(read.hosts[0].cable.millimetres, 20'000);
    EXPECT_EQ(read.run.time, Nanos(2'000'000));
}

TEST(Override, HoldsListsAndMaps) {
    const NetworkScenario read = with({"switch.defaults.lossless=[3, 4]", "flows.one.to=[h0, h2]"});
    EXPECT_EQ(read.switches[0].settings.ports[0].pfc.lossless, only_priority(3) | only_priority(4));
    EXPECT_EQ(read.flows[0].to.size(), 2U);
    EXPECT_EQ(
        with({"topology={chain: {switches: 2, hosts: 1}}", "flows[1].from=h1"}).switches.size(),
        2U);
}

TEST(Override, OfTwoTheLaterHolds) { EXPECT_EQ(with({"run.seed=5", "run.seed=6"}).run.seed, 6U); }

TEST(Override, IsJudgedLikeWhatIsWritten) {
    EXPECT_EQ(fault_of({"run.seed=1", "flows[0].rate=fast"}),
              "x.yaml:0:2: flows[0].rate: \"fast\" is not a rate; write a rate from 1M to 1600G in "
              "K, M, G or T");
    EXPECT_EQ(fault_of({"run.tim=1ms"}),
              "x.yaml:0:1: run.tim: is not a known key; did you mean time");
    EXPECT_EQ(fault_of({"switch.defaults.pfc.colour=red"}).substr(0, 64),
              "x.yaml:0:1: switch.defaults.pfc.colour: is not a known key; the ");
}

TEST(Override, SaysWhatIsThereInstead) {
    EXPECT_EQ(fault_of({"flows[2].rate=1G"}),
              "x.yaml:0:1: flows[2]: is not there; flows has 2 item(s), from [0]");
    EXPECT_EQ(fault_of({"flows.some.rate=1G"}),
              "x.yaml:0:1: flows.some: is not there; those of flows are one, other");
    EXPECT_EQ(fault_of({"run[0]=1G"}),
              "x.yaml:0:1: run[0]: run is not a list; write a key instead of [n]");
    EXPECT_EQ(fault_of({"flows[0].priority.high=1"}),
              "x.yaml:0:1: flows[0].priority.high: flows[0].priority holds no keys; write it as "
              "the last one");
}

TEST(Override, ThatIsNoneIsReportedWhole) {
    for (const std::string_view path : {"flows[", "flows[x]", "flows[0]rate", "a..b", ".a", "a."}) {
        EXPECT_EQ(fault_of({std::string(path) + "=1"}).substr(0, 11), "x.yaml:0:1:") << path;
        EXPECT_NE(fault_of({std::string(path) + "=1"}).find("is no path"), std::string::npos)
            << path;
    }
    EXPECT_NE(fault_of({"run.time={"}).find("is not YAML"), std::string::npos);
    EXPECT_FALSE(parse_override("run.time").has_value());
    EXPECT_FALSE(parse_override("=5").has_value());
    EXPECT_EQ(parse_override("a=b=c")->value, "b=c");
}

TEST(Override, IsOfSixteenStepsAtTheMost) {
    std::string path = "a";
    for (int n = 1; n < 17; ++n) path += ".a";
    EXPECT_NE(fault_of({path + "=1"}).find("is no path"), std::string::npos);
}

TEST(Override, OfNoKeyIsReportedForTheFile) {
    EXPECT_NE(fault_of({"[0]=1"}).find("[0]: the file is not a list; write a key instead of [n]"),
              std::string::npos)
        << fault_of({"[0]=1"});
}

}  // namespace
}  // namespace sluice::sim
