#include "control/dcbx/defence.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

PrioritySet on(bool enabled, PrioritySet oper, std::optional<PrioritySet> remote) {
    Defence defence;
    defence.set_local(enabled);
    defence.receive(oper, remote);
    return defence.on();
}

TEST(Defence, IsOnWhereOnlyThisEndHasTheFeature) {
    EXPECT_EQ(on(true, 0b0011, 0b0001), 0b0010);
    EXPECT_EQ(on(true, 0b0011, 0), 0b0011);
    EXPECT_EQ(on(true, 0b0011, 0b0011), 0);
    EXPECT_EQ(on(true, 0, 0b0011), 0) << "this end does not have it";
}

TEST(Defence, IsOnWhileThePeerDoesNotSay) { EXPECT_EQ(on(true, 0x18, std::nullopt), 0x18); }

TEST(Defence, IsOffUnlessItIsEnforced) {
    EXPECT_EQ(on(false, 0x18, std::nullopt), 0);
    EXPECT_EQ(on(false, 0x18, 0), 0);
}

TEST(Defence, EveryTransition) {
    Defence defence;
    defence.receive(0x08, std::nullopt);
    std::string states;
    const auto note = [&] { states += defence.on() == 0 ? "off " : "on "; };
    note();
    defence.set_local(true), note();
    defence.receive(0x08, 0x08), note();
    defence.receive(0x08, 0x00), note();
    defence.receive(0x00, 0x00), note();
    defence.receive(0x08, std::nullopt), note();
    defence.set_local(false), note();
    EXPECT_EQ(states, "off on off on off on off ");
}

}  // namespace
}  // namespace sluice::dcbx
