#include "config/protocols/sflow.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Configuration read(const std::string& of_port, const std::string& sflow) {
    auto configuration = load_text("ports:\n- {device: 'ring:a'" + of_port +
                                       "}\n- {device: 'ring:b'}\nsflow: {" + sflow + "}\n",
                                   "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return std::move(*configuration);
}
const std::string to_one = "collectors: ['192.0.2.9:6343']";

TEST(Sflow, IsOffByDefault) {
    const Configuration off = read("", "");
    EXPECT_TRUE(off.sflow.collectors.empty());
    EXPECT_EQ(off.settings.ports[0].sflow_one_in, 0U);
}

TEST(Sflow, HasDefaultsForWhatIsNotWritten) {
    const Configuration on = read("", to_one);
    EXPECT_EQ(on.sflow.collectors, (std::vector<std::string>{"192.0.2.9:6343"}));
    EXPECT_TRUE(on.sflow.agent.empty());
    EXPECT_EQ(on.sflow.polling, Nanos(20'000'000'000));
    EXPECT_EQ(on.settings.sflow_header, 128);
    EXPECT_EQ(on.settings.ports[1].sflow_one_in, 4096U);
}

TEST(Sflow, SaysWhatIsWritten) {
    const Configuration on =
        read(", sflow: {sampling: 10}",
             "collectors: ['192.0.2.9:6343', '[2001:db8::9]:7000'], agent: 2001:db8::1, "
             "sampling: 500, header: 64, polling: 0");
    EXPECT_EQ(on.sflow.collectors.size(), 2U);
    EXPECT_EQ(on.sflow.agent.size(), 16U);
    EXPECT_EQ(on.sflow.polling, Nanos(0));
    EXPECT_EQ(on.settings.sflow_header, 64);
    EXPECT_EQ(on.settings.ports[0].sflow_one_in, 10U);
    EXPECT_EQ(on.settings.ports[1].sflow_one_in, 500U);
}

TEST(Sflow, IsOffAtAPortThatSaysSo) {
    EXPECT_EQ(read(", sflow: {sampling: 0}", to_one).settings.ports[0].sflow_one_in, 0U);
}

TEST(Sflow, AnAgentIsAnAddress) {
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a}]\nsflow: {" + to_one + ", agent: leaf1}\n"),
        Lines{"x.yaml:2:48: sflow.agent: \"leaf1\" is neither IPv4 nor IPv6; write an address "
              "such as 192.0.2.1 or 2001:db8::1"});
}

TEST(Sflow, NothingHasAMeaningWithoutACollector) {
    const Lines lines = faults_of(
        "ports: [{device: ring:a, sflow: {sampling: 5}}]\nsflow: {header: 64, collectors: []}\n");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0],
              "x.yaml:1:44: ports[0].sflow.sampling: has no meaning without sflow.collectors; "
              "leave it out, or write sflow.collectors: [\"192.0.2.9:6343\"] or the like");
    EXPECT_TRUE(lines[1].starts_with("x.yaml:2:17: sflow.header: has no meaning"));
    EXPECT_TRUE(faults_of("defaults: {sflow: {sampling: 5}}\nports: [{device: ring:a}]\n").empty());
}

}  // namespace
}  // namespace sluice::config
