#include "control/show/noun_snapshots.h"

#include <gtest/gtest.h>

#include "tests/support/dcbx_golden.h"
#include "tests/unit/control/driven_switch.h"
#include "tools/sluice/views.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;
using test::golden_tlv;

// A port that is willing about ETS and has a peer, and one that is silent.
DrivenSwitch two_ports(std::initializer_list<const char*> tlvs) {
    DrivenSwitch ports(2);
    ports.dcbx.resize(2);
    dcbx::Local local{.address = {1}, .pfc = {.enabled = 0x10}, .willing = {.ets = true}};
    local.application = {{dcbx::Selector::ether_type, 0x8906, 3}, {dcbx::Selector::tcp, 3260, 4}};
    ports.dcbx[0].configure(dcbx::Mode::automatic, local, ports.now);
    lldp::OrganisationalNeighbour peer{.source = {2}};
    for (const char* name : tlvs) peer.tlvs.push_back(golden_tlv(name));
    ports.dcbx[0].neighbours(std::span(&peer, 1), ports.now);
    ports.now += 5_s;
    return ports;
}

TEST(DcbxSnapshot, HasARowAFeatureOfEachPortThatSpeaks) {
    const Json rows = two_ports({"ieee_ets", "ieee_recommendation", "ieee_pfc"}).show("dcbx");
    ASSERT_EQ(rows.size(), 3U);
    const Json& ets = rows[0];
    EXPECT_EQ(ets["port"], "p0");
    EXPECT_EQ(ets["mode"], "auto");
    EXPECT_EQ(ets["dialect"], "ieee");
    EXPECT_EQ(ets["feature"], "ets");
    EXPECT_EQ(ets["willing"], true);
    EXPECT_EQ(ets["peer_willing"], true);
    EXPECT_EQ(ets["from_peer"], true);
    EXPECT_EQ(ets["oper"][1], Json::parse(R"({"class": 1, "priorities": [3], "selection": "ets",
                                              "bandwidth": 70})"));
    EXPECT_EQ(ets["oper_text"], "0, 1, 2, 4, 5: 30 %; 3: 70 %; 6, 7: strict");
    EXPECT_EQ(ets["peer_text"], "0, 1, 2, 4, 5: 40 %; 3: 60 %; 6, 7: strict");
}

TEST(DcbxSnapshot, ShowsAMismatchAndHowLongItLasts) {
    const Json pfc = two_ports({"ieee_pfc", "draft0409_classes"}).show("dcbx")[1];
    EXPECT_EQ(pfc["oper"], Json({4}));
    EXPECT_EQ(pfc["peer"], Json({3, 4}));
    EXPECT_EQ(pfc["peer_willing"], false);
    EXPECT_EQ(pfc["pending"], false);
    EXPECT_EQ(pfc["mismatch"], true);
    EXPECT_EQ(pfc["mismatch_s"], 5);
    EXPECT_EQ(pfc["mismatches"], 1);
    EXPECT_EQ(pfc["faults"], Json::parse(R"({"other_dialect": 1})"));
}

TEST(DcbxSnapshot, ShowsWhatACeePeerHasOffOrIsInErrorAbout) {
    const Json rows = two_ports({"cee"}).show("dcbx");
    EXPECT_EQ(rows[1]["peer_enabled"], true);
    EXPECT_EQ(rows[1]["peer_error"], false);
    EXPECT_EQ(rows[2]["peer_error"], true);
    EXPECT_EQ(rows[2]["peer_text"], "ether_type 0x8906: 3, tcp_or_udp 3260: 4; in error");
    EXPECT_EQ(rows[2]["mismatch_reason"], "peer_error");
    EXPECT_TRUE(two_ports({"ieee_pfc"}).show("dcbx")[1]["peer_error"].is_null());
    DrivenSwitch ports = two_ports({});
    lldp::OrganisationalNeighbour peer{.source = {2}, .tlvs = {golden_tlv("cee")}};
    peer.tlvs[0].payload[33 + 2] &= 0x7F;  // Enable of PFC
    ports.dcbx[0].neighbours(std::span(&peer, 1), ports.now);
    const Json pfc = ports.show("dcbx")[1];
    EXPECT_EQ(pfc["peer_enabled"], false);
    EXPECT_EQ(pfc["peer"], Json({3}));
    EXPECT_EQ(pfc["peer_text"], "3; off");
    EXPECT_EQ(pfc["mismatch"], false);
    EXPECT_TRUE(pfc["mismatch_reason"].is_null());
}

TEST(DcbxSnapshot, WhatThePeerDoesNotSayIsNull) {
    const Json application = two_ports({"ieee_pfc"}).show("dcbx")[2];
    EXPECT_EQ(application["feature"], "application");
    EXPECT_TRUE(application["peer"].is_null() && application["peer_text"].is_null());
    EXPECT_TRUE(application["peer_willing"].is_null() && application["mismatch_s"].is_null());
    EXPECT_EQ(application["pending"], false) << "no answer is under way";
    EXPECT_EQ(application["oper_text"], "ether_type 0x8906: 3, tcp 3260: 4");
    EXPECT_EQ(application["oper"][1],
              Json::parse(R"({"selector": "tcp", "protocol": 3260, "priority": 4})"));
}

TEST(DcbxSnapshot, ShowsWhatAPortDefendsAndWhatItHasNoRoomFor) {
    DrivenSwitch ports(1);
    dcbx::Agent& agent = ports.dcbx.emplace_back();
    agent.configure(dcbx::Mode::draft0409,
                    {.address = {1},
                     .pfc = {.enabled = 0x30},
                     .willing = {.pfc = true},
                     .defend = true,
                     .hold = true},
                    ports.now);
    agent.refuse_pfc(true, ports.now);
    const Json pfc = ports.show("dcbx")[1];
    EXPECT_EQ(pfc["defence"], Json({4, 5}));
    EXPECT_EQ(pfc["held"], Json({4, 5}));
    EXPECT_EQ(pfc["lacks_room"], true);
    EXPECT_EQ(pfc["oper_text"], "4, 5; discards 4, 5; holds 4, 5; no room for the peer's");
    EXPECT_EQ(ports.show("dcbx")[0]["defence"], Json());
}

TEST(DcbxSnapshot, ShowsWhatThePeerCanDoAndRecommends) {
    const Json rows =
        two_ports({"ieee_ets_eight", "ieee_recommendation", "ieee_pfc_willing"}).show("dcbx");
    EXPECT_EQ(rows[0]["peer_max_classes"], 8);
    EXPECT_EQ(rows[0]["peer_credit_based_shaper"], true);
    EXPECT_EQ(rows[0]["recommended_text"], "0, 1, 2, 4, 5: 30 %; 3: 70 %; 6, 7: strict");
    EXPECT_EQ(rows[0]["recommended"][1]["bandwidth"], 70);
    EXPECT_EQ(rows[1]["peer_pfc_capability"], 2);
    EXPECT_EQ(rows[1]["peer_macsec_bypass"], true);
    EXPECT_TRUE(rows[0]["peer_pfc_capability"].is_null() && rows[1]["peer_max_classes"].is_null());
    const Json none = two_ports({"ieee_application"}).show("dcbx");
    for (const char* key : {"peer_max_classes", "peer_credit_based_shaper", "recommended",
                            "peer_pfc_capability", "peer_macsec_bypass", "recommended_text"}) {
        EXPECT_TRUE(none[0][key].is_null() && none[1][key].is_null()) << key;
    }
    const Json cee = two_ports({"cee"}).show("dcbx");
    EXPECT_EQ(cee[0]["peer_max_classes"], 3);
    EXPECT_EQ(cee[1]["peer_pfc_capability"], 2);
    EXPECT_TRUE(cee[0]["peer_credit_based_shaper"].is_null()) << "CEE does not say";
}

TEST(DcbxSnapshot, ShowsWhatThePeerSaysOfCongestionNotification) {
    const Json ieee = two_ports({"ieee_congestion"}).show("dcbx")[3];
    EXPECT_EQ(ieee["feature"], "congestion");
    EXPECT_EQ(ieee["peer_text"], "3, 4; ready 3");
    EXPECT_EQ(ieee["peer_ready"], Json({3}));
    EXPECT_TRUE(ieee["peer_defences"].is_null());
    DrivenSwitch ports(1);
    dcbx::Agent& agent = ports.dcbx.emplace_back();
    agent.configure(dcbx::Mode::draft0409, {.address = {1}, .congestion = PrioritySet{0}},
                    ports.now);
    const lldp::OrganisationalNeighbour peer{
        .source = {2},
        .tlvs = {golden_tlv("draft0409_congestion"), golden_tlv("draft0409_pfc_defended")}};
    agent.neighbours(std::span(&peer, 1), ports.now);
    const Json rows = ports.show("dcbx");
    EXPECT_EQ(rows[1]["peer_text"], "3, 4; discards 3");
    EXPECT_EQ(rows[1]["peer_defences"], Json({3}));
    EXPECT_EQ(rows[4]["feature"], "congestion");
    EXPECT_EQ(rows[4]["peer_text"], "4; discards 4");
    EXPECT_EQ(rows[4]["oper"], Json::array());
}

TEST(DcbxSnapshot, ShowsThatThereAreSeveralPeers) {
    DrivenSwitch ports = two_ports({});
    const std::vector peers(
        2, lldp::OrganisationalNeighbour{.source = {2}, .tlvs = {golden_tlv("ieee_pfc")}});
    ports.dcbx[0].neighbours(peers, ports.now);
    const Json rows = ports.show("dcbx");
    EXPECT_EQ(rows[1]["peers"], 2);
    EXPECT_TRUE(rows[1]["peer"].is_null());
    EXPECT_NE(cli::render("dcbx", rows).find("2 peers: all are ignored"), std::string::npos);
    EXPECT_EQ(two_ports({"ieee_pfc"}).show("dcbx")[1]["peers"], 1);
}

TEST(DcbxSnapshot, IsATableForPeople) {
    const std::string text =
        cli::render("dcbx", two_ports({"ieee_pfc_willing", "ieee_recommendation"}).show("dcbx"));
    EXPECT_NE(text.find("auto  ieee     pfc"), std::string::npos) << text;
    EXPECT_NE(text.find("p0    pfc      2 paused at a time, MACsec bypass  -"), std::string::npos)
        << text;
    EXPECT_NE(cli::render("dcbx", Json::array()).find("disabled on every port"), std::string::npos);
}

}  // namespace
}  // namespace sluice::control
