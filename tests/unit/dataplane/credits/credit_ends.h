// CreditEnds: two ends by hand, a and b, and a wire of one update at a time.
#pragma once

#include <gtest/gtest.h>

#include "dataplane/credits/credit_end.h"

namespace sluice::test {

using namespace literals;

inline constexpr CreditTerms terms{.lossless = 0b0000'1000, .buffer = 1_KiB, .cell = 256_B};
inline constexpr CreditPace pace{.quantum = 256_B, .refresh = 10_us};
inline constexpr MacAddress at_a{0x0200'0000'000A};
inline constexpr MacAddress at_b{0x0200'0000'000B};
inline constexpr MacAddress elsewhere{0x0200'0000'000C};

class CreditEnds : public testing::Test {
  protected:
    // Passes the update that `from` has due to the other end. False: none was due.
    bool update(CreditEnd& from, CreditEnd& to) {
        if (!from.is_due(now)) return false;
        const CreditUpdate due = from.update();
        from.sent(now);
        to.receive(due, &from == &a ? at_a : at_b, now);
        return true;
    }
    // Returns the number of updates until none is due.
    int settle() {
        int updates = 0;
        while (updates < 100 && (update(a, b) || update(b, a))) ++updates;
        return updates;
    }
    // An end that knows that its peer uses credit.
    static CreditEnd an_end() {
        CreditEnd end(terms, pace);
        end.set_peer(CreditPeer::able, 0, Nanos(0));
        return end;
    }
    // Both ends have a link, and accept each other's updates.
    void connect() {
        a.start(10, now);
        b.start(20, now);
        settle();
    }
    void pass(Bytes length) {
        ASSERT_TRUE(a.sender().covers(3, length));
        a.sender().consume(3, length);
        arrive(b, length);
    }
    static void arrive(CreditEnd& at, Bytes length) {
        at.receiver().came(3, terms.cost(length));
        ASSERT_TRUE(at.receiver().take(3, terms.cost(length)));
    }

    Nanos now = 1_us;
    CreditEnd a = an_end();
    CreditEnd b = an_end();
};

}  // namespace sluice::test
