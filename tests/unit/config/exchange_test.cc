#include "config/exchange.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

PortDcbxConfig read(const std::string& of_port) {
    auto configuration =
        load_text("ports:\n- {device: 'ring:a'" + of_port + "}\n- {device: 'ring:b'}\n", "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return configuration->ports[0].dcbx;
}

TEST(Exchange, ByDefaultAPortTellsAndDoesNotFollow) {
    const PortDcbxConfig dcbx = read("");
    EXPECT_EQ(dcbx.mode, DcbxMode::automatic);
    EXPECT_FALSE(dcbx.willing_ets || dcbx.willing_pfc || dcbx.willing_application);
    EXPECT_TRUE(dcbx.recommend);
    EXPECT_TRUE(dcbx.application.empty());
}

TEST(Exchange, SaysWhatIsWritten) {
    const PortDcbxConfig dcbx = read(
        ", dcbx: {mode: cee, willing: [pfc, ets], recommend: false, application: ["
        "{ether_type: 0x8906, priority: 3}, {udp: 4791, priority: 4}, {dscp: 46, priority: 6}"
        "]}");
    EXPECT_EQ(dcbx.mode, DcbxMode::cee);
    EXPECT_TRUE(dcbx.willing_ets && dcbx.willing_pfc && !dcbx.willing_application);
    EXPECT_FALSE(dcbx.recommend);
    ASSERT_EQ(dcbx.application.size(), 3U);
    EXPECT_EQ(dcbx.application[0].selector, DcbxSelector::ether_type);
    EXPECT_EQ(dcbx.application[0].protocol, 0x8906);
    EXPECT_EQ(dcbx.application[0].priority, 3);
    EXPECT_EQ(dcbx.application[1].selector, DcbxSelector::udp);
    EXPECT_EQ(dcbx.application[2].selector, DcbxSelector::dscp);
}

TEST(Exchange, EveryModeHasItsName) {
    EXPECT_EQ(read(", dcbx: {mode: disabled}").mode, DcbxMode::disabled);
    EXPECT_EQ(read(", dcbx: {mode: ieee}").mode, DcbxMode::ieee);
    EXPECT_EQ(read(", dcbx: {mode: draft0409}").mode, DcbxMode::draft0409);
    EXPECT_EQ(read(", dcbx: {mode: auto}").mode, DcbxMode::automatic);
}

std::string fault_of(const std::string& dcbx) {
    const Lines lines = faults_of("ports:\n- device: ring:a\n  " + dcbx);
    return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " faults";
}

TEST(Exchange, AnApplicationIsNamedInOneWay) {
    EXPECT_EQ(fault_of("dcbx: {application: [{priority: 3}]}"),
              "x.yaml:3:24: ports[0].dcbx.application[0]: says of no frames which priority they "
              "have; write one of ether_type, tcp, udp, tcp_or_udp and dscp");
    EXPECT_EQ(fault_of("dcbx: {application: [{tcp: 80, udp: 80, priority: 3}]}"),
              "x.yaml:3:24: ports[0].dcbx.application[0]: names several kinds of frames; write one "
              "of ether_type, tcp, udp, tcp_or_udp and dscp");
    EXPECT_EQ(fault_of("dcbx: {application: [{tcp: 80, priority: 3}, {tcp: 80, priority: 4}]}"),
              "x.yaml:3:54: ports[0].dcbx.application[1].tcp: is already at "
              "ports[0].dcbx.application[0].tcp; keep one of them");
}

TEST(Exchange, WithoutFlowControlThereIsNoPfcToBeWillingAbout) {
    EXPECT_EQ(fault_of("flow_control: none\n  dcbx: {willing: [ets, pfc]}"),
              "x.yaml:4:25: ports[0].dcbx.willing[1]: has no meaning with flow_control: none; "
              "leave it out, or write flow_control: pfc");
}

}  // namespace
}  // namespace sluice::config
