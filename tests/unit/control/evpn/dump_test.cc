#include "control/evpn/dump.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/octets.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using What = Dump::What;

// A dump of links that was sent.
class EvpnDump : public testing::Test {
  protected:
    EvpnDump() { send(What::links); }

    void send(What what, bool could = true) {
        EXPECT_EQ(dump.next(now), what);
        dump.sent(could, now);
    }
    What end(int error = 0) { return dump.answer(dump.number(), error, now); }
    // Expects no request now, and this one after a pause.
    void expect_after_pause(What what) {
        EXPECT_EQ(dump.next(now), What::none);
        EXPECT_FALSE(dump.is_done());
        now += Dump::pause;
        EXPECT_EQ(dump.next(now), what);
    }

    Nanos now = 1000_s;
    Dump dump;
};

TEST_F(EvpnDump, AsksForLinksAndThenForEntries) {
    EXPECT_EQ(dump.next(now), What::none);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_FALSE(dump.is_done());
    EXPECT_EQ(end(), What::entries);
    EXPECT_TRUE(dump.is_done());
    EXPECT_EQ(dump.next(now), What::none);
}

TEST_F(EvpnDump, WhatCouldNotBeSentIsAskedForAgain) {
    EXPECT_EQ(end(), What::links);
    send(What::entries, false);
    expect_after_pause(What::entries);
}

TEST_F(EvpnDump, SoIsWhatWasRefusedInterruptedOrHasNoEnd) {
    EXPECT_EQ(end(EBUSY), What::none);
    expect_after_pause(What::links);
    send(What::links);
    dump.interrupt(dump.number());
    EXPECT_EQ(end(), What::none);
    expect_after_pause(What::links);
    send(What::links);
    now += Dump::timeout;
    expect_after_pause(What::links);
    send(What::links);
    EXPECT_EQ(end(), What::links) << "what was interrupted is another";
}

TEST_F(EvpnDump, AfterALossAllIsAskedForAgain) {
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    const uint32_t given_up = dump.number();
    dump.lose(now);
    EXPECT_EQ(dump.answer(given_up, 0, now), What::none);
    expect_after_pause(What::links);
    send(What::links);
    EXPECT_EQ(dump.answer(given_up, 0, now), What::none);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
}

TEST_F(EvpnDump, EntriesMayBeWantedMeanwhile) {
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    dump.want_entries();
    EXPECT_EQ(end(), What::entries);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    dump.want_entries_later(now);
    expect_after_pause(What::entries);
}

TEST_F(EvpnDump, NeighboursComeAfterEntriesWhereTheyAreWanted) {
    dump = Dump(true);
    send(What::links);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    EXPECT_FALSE(dump.is_done());
    send(What::neighbours);
    EXPECT_EQ(end(EBUSY), What::none);
    expect_after_pause(What::neighbours);
    send(What::neighbours);
    dump.want_entries();
    EXPECT_EQ(end(), What::neighbours);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    send(What::neighbours);
    dump.lose(now);
    expect_after_pause(What::links);
}

}  // namespace
}  // namespace sluice::control::evpn
