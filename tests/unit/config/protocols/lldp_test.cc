#include "config/protocols/lldp.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Configuration read(const std::string& text) {
    auto configuration = load_text(text, "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return *configuration;
}

TEST(Lldp, AdvertisesWhoWeAreByDefault) {
    const Configuration built = read(two_ports);
    EXPECT_TRUE(built.lldp.enabled);
    EXPECT_EQ(built.lldp.interval, Nanos(30'000'000'000));
    EXPECT_EQ(built.lldp.hold, 4);
    EXPECT_EQ(built.lldp.chassis_id + built.lldp.system_name, "");
    EXPECT_NE(built.lldp.system_description, "");
    EXPECT_TRUE(built.lldp.management_address.empty());
    EXPECT_EQ(built.ports[1].lldp.mode, LldpMode::both);
    EXPECT_EQ(built.ports[1].lldp.port_id, "");
    EXPECT_EQ(built.ports[1].lldp.description, "p1");
}

TEST(Lldp, SaysWhatIsWritten) {
    const Configuration built = read(
        "defaults: {lldp: {mode: rx}}\n"
        "ports:\n"
        "- {device: ring:a, lldp: {mode: tx, port_id: 1/1, description: to the spine}}\n"
        "- {device: ring:b}\n"
        "- {device: ring:c, lldp: {mode: disabled}}\n"
        "lldp: {interval: 5s, hold: 3, chassis_id: row 2, system_name: leaf1,\n"
        "  system_description: a leaf, management_address: 192.0.2.1}\n");
    EXPECT_EQ(built.lldp.interval, Nanos(5'000'000'000));
    EXPECT_EQ(built.lldp.hold, 3);
    EXPECT_EQ(built.lldp.chassis_id, "row 2");
    EXPECT_EQ(built.lldp.system_name, "leaf1");
    EXPECT_EQ(built.lldp.system_description, "a leaf");
    EXPECT_EQ(built.lldp.management_address, (std::vector<uint8_t>{192, 0, 2, 1}));
    EXPECT_EQ(built.ports[0].lldp.mode, LldpMode::tx);
    EXPECT_EQ(built.ports[0].lldp.port_id, "1/1");
    EXPECT_EQ(built.ports[0].lldp.description, "to the spine");
    EXPECT_EQ(built.ports[1].lldp.mode, LldpMode::rx);
    EXPECT_EQ(built.ports[2].lldp.mode, LldpMode::disabled);
}

TEST(Lldp, CanBeLeftOut) { EXPECT_FALSE(read(one_port + "lldp: {enabled: false}").lldp.enabled); }

TEST(Lldp, AManagementAddressIsOneOfIp) {
    EXPECT_EQ(
        read(one_port + "lldp: {management_address: '2001:db8::1'}").lldp.management_address.size(),
        16U);
    EXPECT_EQ(faults_of(one_port + "lldp: {management_address: 192.0.2}"),
              Lines{"x.yaml:2:28: lldp.management_address: \"192.0.2\" is neither IPv4 nor IPv6; "
                    "write an address such as 192.0.2.1 or 2001:db8::1"});
}

TEST(Lldp, PortsHaveIdsOfTheirOwn) {
    const std::string remedy =
        "; give each port an id of its own, under `ports` and not under `defaults`";
    EXPECT_EQ(faults_of("defaults: {lldp: {port_id: x}}\n" + two_ports).size(), 1U);
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a, lldp: {port_id: p1}}, {device: ring:b}]\n"),
        Lines{"x.yaml:1:48: ports[1].name: \"p1\" is taken by ports[0].lldp.port_id" + remedy});
    EXPECT_EQ(faults_of("ports: [{device: ring:a, name: x}, {device: ring:b, name: x}]\n").size(),
              1U);
}

}  // namespace
}  // namespace sluice::config
