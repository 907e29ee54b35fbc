#include "dataplane/ingress/control_receiver.h"

#include <gtest/gtest.h>

#include <array>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_trial.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::Octets;

std::array<uint8_t, pause_frame_octets> pause_of_priority_3() {
    std::array<uint8_t, pause_frame_octets> octets;
    PauseFrame pause;
    pause.enabled = 0b0000'1000;
    pause.time[3] = 100;
    write_pause_frame(octets, test::station(7), pause);
    return octets;
}

struct Receiver {
    PortSettings settings;
    PauseGate gate;
    ControlMail mail;
    LaneMail to_port;
    Nanos now{1'000'000'000};

    ControlReceiver of_port() { return {settings, gate, mail, now, now}; }
    ControlReceiver of_lane() { return {settings, to_port, now}; }
};

TEST(ControlReceiver, APauseHoldsThePortsGateAtOnce) {
    Receiver at;
    at.settings.pfc.lossless = 0b0000'1000;
    at.gate.configure(at.settings.pfc, at.settings.speed);
    EXPECT_EQ(at.of_port().mac_control(pause_of_priority_3()), Drop::mac_control);
    EXPECT_EQ(at.gate.paused(at.now), 0b0000'1000);
}

TEST(ControlReceiver, WithoutFlowControlNoPauseIsObeyed) {
    Receiver at;
    at.settings.flow_control = FlowControl::none;
    EXPECT_EQ(at.of_port().mac_control(pause_of_priority_3()), Drop::pause_opcode);
    EXPECT_EQ(at.of_lane().mac_control(pause_of_priority_3()), Drop::pause_opcode);
    EXPECT_TRUE(at.to_port.pauses.front().empty());
}

TEST(ControlReceiver, AFurtherLaneHandsItToThePortsWorker) {
    Receiver at;
    EXPECT_EQ(at.of_lane().mac_control(pause_of_priority_3()), Drop::mac_control);
    EXPECT_EQ(at.to_port.pauses.front().size(), pause_frame_octets);
    EXPECT_EQ(at.gate.paused(at.now), 0);
}

// The lane does not know whether it is wanted; the port's worker does.
TEST(ControlReceiver, ATrialIsReceivedByAnyLaneAndFromAnySource) {
    Receiver at;
    at.mail.wants_trials(true);
    std::array<uint8_t, pause_frame_octets> trial;
    write_pause_trial(trial, test::station(7), {1, 2, 3});
    const auto ends_up_received = [&] {
        EXPECT_EQ(at.of_lane().mac_control(trial), Drop::mac_control);
        const auto handed_over = at.to_port.pauses.front();
        if (handed_over.empty()) return false;
        at.of_port().mac_control(handed_over);
        at.to_port.pauses.pop();
        Mailbox& heard = at.mail.received(ControlProtocol::lldp);
        const bool there = !heard.front().empty();
        if (there) heard.pop();
        return there;
    };
    EXPECT_TRUE(ends_up_received());
    at.settings.flow_control = FlowControl::none;
    EXPECT_TRUE(ends_up_received());
}

TEST(ControlReceiver, AProbeOfARelayIsNoTrial) {
    Receiver at;
    at.mail.wants_trials(true);
    PfcSettings pfc;
    pfc.relay = {.to = 1, .priorities = 0b0000'1000, .probes = true};
    at.gate.configure(pfc, BitsPerSecond(10'000'000'000));
    std::array<uint8_t, pause_frame_octets> question;
    write_pause_trial(question, test::station(7), RelayProbe().words(at.now));
    EXPECT_EQ(at.of_port().mac_control(question), Drop::mac_control);
    EXPECT_TRUE(at.mail.received(ControlProtocol::lldp).front().empty());
    at.gate.relay().probe()->sent(at.now);
    at.gate.relay().probe()->sent(at.now);
    EXPECT_EQ(at.gate.relay().measured().asked(), 1U) << "the first was the answer";
}

TEST(ControlReceiver, WhatALaneCannotHandOverIsCountedApart) {
    Receiver at;
    ControlReceiver lane = at.of_lane();
    for (uint32_t n = 0; n < Mailbox::slots; ++n) {
        EXPECT_EQ(lane.mac_control(pause_of_priority_3()), Drop::mac_control);
        EXPECT_EQ(lane.take(ControlProtocol::lldp, Octets(60)), Drop::lldp);
    }
    EXPECT_EQ(lane.mac_control(pause_of_priority_3()), Drop::pause_limit);
    EXPECT_EQ(lane.take(ControlProtocol::lldp, Octets(60)), Drop::lldp_limit);
}

TEST(ControlReceiver, OfReservedAddressesOnlyUntaggedLldpIsTaken) {
    Receiver at;
    Headers headers;
    headers.destination = lldp_address;
    headers.ether_type = lldp_ether_type;
    EXPECT_EQ(at.of_port().reserved(Octets(60), headers), Drop::lldp);
    EXPECT_EQ(at.mail.received(ControlProtocol::lldp).front().size(), 60U);
    headers.vlan = 5;
    EXPECT_EQ(at.of_port().reserved(Octets(60), headers), Drop::reserved_address);
    headers.vlan = 0;
    headers.ether_type = 0x8809;
    EXPECT_EQ(at.of_port().reserved(Octets(60), headers), Drop::reserved_address);
}

}  // namespace
}  // namespace sluice
