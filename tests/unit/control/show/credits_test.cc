#include "control/show/credits.h"

#include <gtest/gtest.h>

#include "dataplane/shard.h"
#include "tests/unit/control/driven_switch.h"
#include "tools/sluice/views.h"

namespace sluice::control {
namespace {

using namespace literals;

// Port 0 goes by credit, with 4 KiB for each of two priorities.
DrivenSwitch by_credit() {
    return DrivenSwitch(2, [](Settings& settings) {
        PortSettings& port = settings.ports[0];
        port.flow_control = FlowControl::credit;
        port.pfc.lossless = 0x18;
        port.credit = {.buffer = 4_KiB, .quantum = 1_KiB, .refresh = 1_ms};
    });
}

// The port is asked for an update, as by a poll.
std::size_t poll(DrivenSwitch& ports) {
    std::array<uint8_t, longest_credit_update> octets;
    ports.housekeep();
    const std::size_t length = ports.dataplane->shard(0).credit_update(0, octets, ports.now);
    if (length > 0) ports.dataplane->shard(0).credit_update_sent(0, length, ports.now);
    return length;
}

TEST(CreditsSnapshot, ShowsPortsByCreditAlone) {
    DrivenSwitch ports = by_credit();
    poll(ports);
    const Json shown = ports.show("credits");
    ASSERT_EQ(shown["ports"].size(), 1);
    EXPECT_EQ(shown["ports"][0]["port"], "p0");
    EXPECT_EQ(shown["ports"][0]["state"], "starting");
    EXPECT_EQ(shown["ports"][0]["quantum_bytes"], 1024);
    ASSERT_EQ(shown["priorities"].size(), 2);
    const Json& row = shown["priorities"][0];
    EXPECT_EQ(row["priority"], 3);
    EXPECT_EQ(row["buffer_bytes"], 4096);
    EXPECT_EQ(row["advertised"], nullptr) << "nor did it";
    EXPECT_EQ(row["limit"], nullptr) << "its peer said nothing";
    EXPECT_EQ(ports.show("ports")[0]["credit_state"], "starting");
    EXPECT_EQ(ports.show("ports")[0]["flow_control"], "credit");
    EXPECT_EQ(ports.show("ports")[1]["credit_state"], nullptr);
    EXPECT_EQ(ports.show("ports")[1]["flow_control"], "pfc");
}

TEST(CreditsSnapshot, SaysWhyOneGoesByPfc) {
    DrivenSwitch ports = by_credit();
    poll(ports);
    ports.now += CreditEnd::longest_hold;
    EXPECT_EQ(poll(ports), 0U) << "there is nobody to send one to";
    const auto why = [&] { return ports.show("credits")["ports"][0]["why"]; };
    EXPECT_EQ(ports.show("credits")["ports"][0]["state"], "pfc");
    EXPECT_EQ(why(), "it has no LLDP neighbour");
    ports.dataplane->set_credit_peer(0, CreditPeer::unable, 0);
    poll(ports);
    EXPECT_EQ(why(), "its LLDP neighbour does not advertise credit");
    ports.dataplane->set_credit_peer(0, CreditPeer::several, 0);
    EXPECT_EQ(why(), "it has several LLDP neighbours");
    ports.dataplane->set_credit_peer(0, CreditPeer::no_lldp, 0);
    EXPECT_EQ(why(), "LLDP is disabled");
    ports.dataplane->set_credit_peer(0, CreditPeer::able, 0);
    EXPECT_GT(poll(ports), 0U);
    ports.now += CreditEnd::longest_hold;
    poll(ports);
    EXPECT_EQ(why(), "its peer advertises credit, but is silent, or has no LLDP neighbour yet");
    EXPECT_EQ(ports.show("credits")["ports"][0]["updates_sent"], 2);
}

TEST(CreditsSnapshot, IsShownToPeople) {
    DrivenSwitch ports = by_credit();
    poll(ports);
    const std::string text = cli::render("credits", ports.show("credits"));
    EXPECT_NE(text.find("starting"), std::string::npos) << text;
    EXPECT_EQ(cli::render("credits", {{"ports", Json::array()}, {"priorities", Json::array()}}),
              "No port uses credit.\n");
}

}  // namespace
}  // namespace sluice::control
