#include "config/protocols/dcbx.h"

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

TEST(Dcbx, ByDefaultAPortAdvertisesAndDoesNotFollow) {
    const PortDcbxConfig dcbx = read("");
    EXPECT_EQ(dcbx.mode, DcbxMode::automatic);
    EXPECT_FALSE(dcbx.willing_ets || dcbx.willing_pfc || dcbx.willing_application);
    EXPECT_TRUE(dcbx.recommend);
}

TEST(Dcbx, SaysWhatIsWritten) {
    const PortDcbxConfig dcbx = read(", dcbx: {mode: cee, willing: [pfc, ets], recommend: false}");
    EXPECT_EQ(dcbx.mode, DcbxMode::cee);
    EXPECT_TRUE(dcbx.willing_ets && dcbx.willing_pfc && !dcbx.willing_application);
    EXPECT_FALSE(dcbx.recommend);
}

TEST(Dcbx, EveryModeHasItsName) {
    EXPECT_EQ(read(", dcbx: {mode: disabled}").mode, DcbxMode::disabled);
    EXPECT_EQ(read(", dcbx: {mode: ieee}").mode, DcbxMode::ieee);
    EXPECT_EQ(read(", dcbx: {mode: draft0409}").mode, DcbxMode::draft0409);
    EXPECT_EQ(read(", dcbx: {mode: auto}").mode, DcbxMode::automatic);
}

std::string fault_of(const std::string& dcbx) {
    const Lines lines = faults_of("ports:\n- device: ring:a\n  " + dcbx);
    return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " faults";
}

TEST(Dcbx, WithoutFlowControlThereIsNoPfcToBeWillingAbout) {
    EXPECT_EQ(fault_of("flow_control: none\n  dcbx: {willing: [ets, pfc]}"),
              "x.yaml:4:25: ports[0].dcbx.willing[1]: has no meaning with flow_control: none; "
              "leave it out, or write flow_control: pfc");
}

TEST(Dcbx, DefencesAreOfOneDialect) {
    EXPECT_EQ(fault_of("dcbx: {defend: true}"),
              "x.yaml:3:18: ports[0].dcbx.defend: has no meaning with mode: auto; leave it out, or "
              "write mode: draft0409");
    EXPECT_TRUE(read(", dcbx: {mode: draft0409, defend: true}").defend);
    EXPECT_EQ(fault_of("dcbx: {mode: ieee, hold: true}"),
              "x.yaml:3:28: ports[0].dcbx.hold: has no meaning with mode: ieee; leave it out, or "
              "write mode: draft0409");
    EXPECT_TRUE(read(", dcbx: {mode: draft0409, hold: true}").hold);
    EXPECT_FALSE(read(", dcbx: {mode: draft0409}").hold);
}

TEST(Dcbx, WhereDcbxIsDisabledNobodyFollowsOrRecommends) {
    EXPECT_EQ(fault_of("dcbx: {mode: disabled, willing: [ets]}"),
              "x.yaml:3:35: ports[0].dcbx.willing: has no meaning with mode: disabled; leave it "
              "out, or write mode: auto");
    EXPECT_EQ(fault_of("dcbx: {mode: disabled, recommend: true}"),
              "x.yaml:3:37: ports[0].dcbx.recommend: has no meaning with mode: disabled; leave it "
              "out, or write mode: auto");
    EXPECT_EQ(fault_of("dcbx: {mode: disabled, willing: [], recommend: false}"), "0 faults");
    EXPECT_EQ(faults_of("defaults: {dcbx: {willing: [ets], recommend: true}}\n"
                        "ports: [{device: ring:a, dcbx: {mode: disabled}}]\n"),
              Lines{});
}

TEST(Dcbx, CeeHasNoRecommendation) {
    EXPECT_EQ(fault_of("dcbx: {mode: cee, recommend: true}"),
              "x.yaml:3:32: ports[0].dcbx.recommend: has no meaning with mode: cee; leave it out, "
              "or write mode: auto");
    EXPECT_EQ(faults_of("defaults: {dcbx: {recommend: true}}\n"
                        "ports: [{device: ring:a, dcbx: {mode: cee}}]\n"),
              Lines{});
}

TEST(Dcbx, CongestionNotificationIsSpokenOfWhereItIsAskedFor) {
    EXPECT_FALSE(read("").congestion);
    EXPECT_TRUE(read(", dcbx: {congestion: true}").congestion);
    EXPECT_EQ(fault_of("dcbx: {mode: cee, congestion: true}"),
              "x.yaml:3:33: ports[0].dcbx.congestion: has no meaning with mode: cee; leave it out, "
              "or write mode: auto");
    EXPECT_EQ(fault_of("lldp: {mode: rx}\n  dcbx: {congestion: true}"),
              "x.yaml:4:22: ports[0].dcbx.congestion: has no meaning with lldp.mode: rx; leave it "
              "out, or write lldp.mode: both");
}

TEST(Dcbx, WhereLldpIsOffDcbxNeitherSendsNorReceives) {
    EXPECT_EQ(fault_of("lldp: {mode: disabled}\n  dcbx: {willing: [pfc]}"),
              "x.yaml:4:19: ports[0].dcbx.willing: has no meaning with lldp.mode: disabled; leave "
              "it out, or write lldp.mode: both");
    const std::string all =
        "dcbx: {mode: draft0409, willing: [pfc], recommend: true, defend: true, hold: true}";
    EXPECT_EQ(fault_of("lldp: {mode: disabled}\n  " + all), "5 faults");
    EXPECT_EQ(fault_of("lldp: {mode: disabled}\n  dcbx: {mode: disabled}"), "0 faults");
    EXPECT_TRUE(fault_of("lldp: {mode: x}\n  " + all).starts_with("x.yaml:3:16: ")) << "no other";
    EXPECT_EQ(faults_of("lldp: {enabled: false}\nports: [{device: ring:a, " + all + "}]\n"),
              Lines{});
    EXPECT_EQ(
        faults_of("defaults: {" + all + "}\nports: [{device: ring:a, lldp: {mode: disabled}}]\n"),
        Lines{});
}

TEST(Dcbx, WithLldpOneWayDcbxHasNoKeysOfTheOtherWay) {
    EXPECT_EQ(
        fault_of("lldp: {mode: tx}\n  dcbx: {willing: [ets], recommend: true}"),
        "x.yaml:4:19: ports[0].dcbx.willing: has no meaning with lldp.mode: tx; leave it out, "
        "or write lldp.mode: both");
    EXPECT_EQ(fault_of("lldp: {mode: tx}\n  dcbx: {mode: draft0409, defend: true}"),
              "x.yaml:4:35: ports[0].dcbx.defend: has no meaning with lldp.mode: tx; leave it out, "
              "or write lldp.mode: both");
    EXPECT_EQ(fault_of("lldp: {mode: rx}\n  dcbx: {mode: cee, willing: [ets], recommend: true}"),
              "x.yaml:4:48: ports[0].dcbx.recommend: has no meaning with lldp.mode: rx; leave it "
              "out, or write lldp.mode: both");
}

}  // namespace
}  // namespace sluice::config
