// Variants: which values a scenario has under each, and what is said of a wrong one.
#include "tools/sim/scenario/variants.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/override.h"

namespace sluice::sim {
namespace {

const std::string two_hosts =
    "topology: {star: {hosts: 2}}\n"
    "run: {time: 3ms}\n"
    "flows: [{from: h0, to: h1, rate: 1G}]\n"
    "variants:\n"
    "  slow: {run.time: 9ms, \"flows[0].rate\": 100M}\n"
    "  plain: {}\n";

NetworkScenario with(const std::string& text, const std::vector<Override>& changes = {}) {
    auto read = read_scenario(text, "f", changes);
    EXPECT_TRUE(read) << to_string(read.error().front());
    return read ? *read : NetworkScenario{};
}
std::string fault_of(const std::string& text, const std::vector<Override>& changes = {}) {
    const auto read = read_scenario(text, "f", changes);
    return read ? "none" : to_string(read.error().front());
}

TEST(Variants, TheOneThatIsNamedGoesBeforeTheFile) {
    EXPECT_EQ(with(two_hosts).run.time, Nanos(3'000'000));
    for (const auto& [name, time, rate] :
         {std::tuple{"slow", 9'000'000, 100'000'000}, {"plain", 3'000'000, 1'000'000'000}}) {
        const NetworkScenario found = with(two_hosts + "variant: " + name + "\n");
        EXPECT_EQ(found.run.time, Nanos(time)) << name;
        EXPECT_EQ(found.flows[0].pace.rate, BitsPerSecond(rate)) << name;
    }
}

TEST(Variants, AnOverrideChoosesOneAndGoesBeforeItsValues) {
    const NetworkScenario found =
        with(two_hosts + "variant: plain\n", {{"run.time", "5ms"}, {"variant", "slow"}});
    EXPECT_EQ(found.run.time, Nanos(5'000'000));
    EXPECT_EQ(found.flows[0].pace.rate, BitsPerSecond(100'000'000));
}

TEST(Variants, AFaultIsSaidWhereItStands) {
    EXPECT_EQ(fault_of(two_hosts + "variant: fast\n"),
              "f:7:10: variant: is not there; those of variants are slow, plain");
    EXPECT_EQ(fault_of(two_hosts + "  odd: {run.tide: 1ms}\nvariant: odd\n"),
              "f:7:19: run.tide: is not a known key; did you mean time");
    EXPECT_EQ(fault_of(two_hosts + "  odd: {\"flows[3].rate\": 1G}\nvariant: odd\n"),
              "f:7:26: flows[3]: is not there; flows has 1 item(s), from [0]");
    EXPECT_EQ(fault_of(two_hosts + "  odd: 3\nvariant: odd\n"),
              "f:7:8: variants.odd: is no map; write {path: value}");
    EXPECT_EQ(fault_of("topology: {star: {hosts: 2}}\nvariant: odd\n"
                       "flows: [{from: h0, to: h1}]\n"),
              "f:2:10: variant: is not there; write variants: {name: {path: value}}");
    EXPECT_EQ(fault_of("topology: {star: {hosts: 2}}\nvariants: [a]\n"
                       "flows: [{from: h0, to: h1}]\n"),
              "f:2:11: variants: is no map of up to 64 names; write {name: {path: value}}");
}

}  // namespace
}  // namespace sluice::sim
