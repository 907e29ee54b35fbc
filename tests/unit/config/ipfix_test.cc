#include "config/ipfix.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string two_ports = "ports: [{name: a, device: ring:a}, {name: b, device: ring:b}]\n";
const std::string to_one = "collectors: ['192.0.2.9:4739']";

Configuration read(const std::string& ipfix) {
    auto configuration = load_text(two_ports + "ipfix: {" + ipfix + "}\n", "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return std::move(*configuration);
}
Lines faults(const std::string& ipfix) { return faults_of(two_ports + "ipfix: {" + ipfix + "}\n"); }

TEST(Ipfix, IsOffByDefaultAndHasDefaults) {
    EXPECT_TRUE(read("").ipfix.collectors.empty());
    const IpfixConfig on = read(to_one).ipfix;
    EXPECT_EQ(on, (IpfixConfig{.collectors = {"192.0.2.9:4739"}}));
    EXPECT_EQ(on.period, Nanos(100'000));
    EXPECT_EQ(on.ports, ~PortSet{0});
}

TEST(Ipfix, SaysWhatIsWritten) {
    EXPECT_EQ(
        read(to_one + ", period: 10us, ports: [b], priorities: [3, 4], domain: 0, mtu: 9000B, "
                      "templates: 1s")
            .ipfix,
        (IpfixConfig{.collectors = {"192.0.2.9:4739"},
                     .period = Nanos(10'000),
                     .ports = only(1),
                     .priorities = 0x18,
                     .domain = 0,
                     .mtu = Bytes(9000),
                     .templates = Nanos(1'000'000'000)}));
}

TEST(Ipfix, NothingHasAMeaningWithoutACollector) {
    EXPECT_EQ(faults("period: 1ms"),
              Lines{"x.yaml:2:17: ipfix.period: has no meaning without ipfix.collectors; leave it "
                    "out, or write ipfix.collectors: [\"192.0.2.9:4739\"] or the like"});
}

TEST(Ipfix, PortsExist) {
    const Lines lines = faults(to_one + ", ports: [c]");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("ipfix.ports[0]"), std::string::npos) << lines[0];
}

TEST(Ipfix, NoMoreIsSampledThanCanBeSent) {
    EXPECT_EQ(faults(to_one + ", period: 11us"),
              Lines{"x.yaml:2:49: ipfix.period: 16 queues in a sample of 840 octets, every 11us, "
                    "exceed the 64MiB a second that can be sent; write 13us or more, or fewer "
                    "ipfix.ports or ipfix.priorities"});
    EXPECT_EQ(read(to_one + ", period: 13us").ipfix.period, Nanos(13'000));
    EXPECT_EQ(read(to_one + ", period: 10us, priorities: [3]").ipfix.period, Nanos(10'000));
    EXPECT_FALSE(faults(to_one + ", period: 9us").empty());
}

}  // namespace
}  // namespace sluice::config
