#include "control/evpn/listing.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/octets.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using What = Listing::What;

// A listing of links that was sent.
class EvpnListing : public testing::Test {
  protected:
    EvpnListing() { send(What::links); }

    void send(What what, bool could = true) {
        EXPECT_EQ(listing.next(now), what);
        listing.sent(could, now);
    }
    What end(int error = 0) { return listing.answer(listing.number(), error, now); }
    // Nothing is asked for at once, and this after a pause.
    void expect_after_pause(What what) {
        EXPECT_EQ(listing.next(now), What::none);
        EXPECT_FALSE(listing.is_done());
        now += Listing::pause;
        EXPECT_EQ(listing.next(now), what);
    }

    Nanos now = 1000_s;
    Listing listing;
};

TEST_F(EvpnListing, AsksForLinksAndThenForEntries) {
    EXPECT_EQ(listing.next(now), What::none);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_FALSE(listing.is_done());
    EXPECT_EQ(end(), What::entries);
    EXPECT_TRUE(listing.is_done());
    EXPECT_EQ(listing.next(now), What::none);
}

TEST_F(EvpnListing, WhatCouldNotBeSentIsAskedForAgain) {
    EXPECT_EQ(end(), What::links);
    send(What::entries, false);
    expect_after_pause(What::entries);
}

TEST_F(EvpnListing, SoIsWhatWasRefusedInterruptedOrHasNoEnd) {
    EXPECT_EQ(end(EBUSY), What::none);
    expect_after_pause(What::links);
    send(What::links);
    listing.interrupt(listing.number());
    EXPECT_EQ(end(), What::none);
    expect_after_pause(What::links);
    send(What::links);
    now += Listing::timeout;
    expect_after_pause(What::links);
    send(What::links);
    EXPECT_EQ(end(), What::links) << "what was interrupted is another";
}

TEST_F(EvpnListing, AfterALossAllIsAskedForAgain) {
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    const uint32_t given_up = listing.number();
    listing.lose(now);
    EXPECT_EQ(listing.answer(given_up, 0, now), What::none);
    expect_after_pause(What::links);
    send(What::links);
    EXPECT_EQ(listing.answer(given_up, 0, now), What::none);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
}

TEST_F(EvpnListing, EntriesMayBeWantedMeanwhile) {
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    listing.want_entries();
    EXPECT_EQ(end(), What::entries);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    listing.want_entries_later(now);
    expect_after_pause(What::entries);
}

TEST_F(EvpnListing, NeighboursComeAfterEntriesWhereTheyAreWanted) {
    listing = Listing(true);
    send(What::links);
    EXPECT_EQ(end(), What::links);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    EXPECT_FALSE(listing.is_done());
    send(What::neighbours);
    EXPECT_EQ(end(EBUSY), What::none);
    expect_after_pause(What::neighbours);
    send(What::neighbours);
    listing.want_entries();
    EXPECT_EQ(end(), What::neighbours);
    send(What::entries);
    EXPECT_EQ(end(), What::entries);
    send(What::neighbours);
    listing.lose(now);
    expect_after_pause(What::links);
}

}  // namespace
}  // namespace sluice::control::evpn
