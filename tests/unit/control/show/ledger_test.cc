#include "control/show/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::control {
namespace {

// The sums of a switch that has received and sent so many frames, one reading after another; the
// last one repeats. A worker's polls likewise.
struct Sums {
    uint64_t received;
    uint64_t sent;
};
LedgerReading read_in_turn(std::vector<Sums> sums, std::vector<uint64_t> polls) {
    std::size_t reading = 0;
    std::size_t look = 0;
    return read_ledger(
        [&] {
            Ledger ledger;
            const Sums& now = sums[std::min(reading++, sums.size() - 1)];
            ledger.received = now.received;
            ledger.sent = now.sent;
            return ledger;
        },
        [&] { return std::vector<uint64_t>{polls[std::min(look++, polls.size() - 1)]}; });
}

TEST(LedgerSnapshot, balances_where_two_readings_are_the_same_and_do) {
    const LedgerReading reading = read_in_turn({{5, 5}, {5, 5}}, {7});
    EXPECT_FALSE(reading.in_motion);
    EXPECT_TRUE(reading.sum.balanced());
}

TEST(LedgerSnapshot, is_in_motion_where_two_readings_differ_whether_they_balance_or_not) {
    EXPECT_TRUE(read_in_turn({{5, 4}, {6, 5}}, {7}).in_motion);
    EXPECT_TRUE(read_in_turn({{5, 5}, {6, 6}}, {7}).in_motion);
    EXPECT_TRUE(read_in_turn({{5, 4}, {5, 5}}, {7}).in_motion) << "the worker went on";
}

TEST(LedgerSnapshot, does_not_balance_where_workers_went_on_and_nothing_else_did) {
    const LedgerReading reading = read_in_turn({{5, 4}}, {7, 8, 8, 9});
    EXPECT_FALSE(reading.in_motion);
    EXPECT_FALSE(reading.sum.balanced());
}

TEST(LedgerSnapshot, is_in_motion_while_a_worker_stands_in_the_midst_of_a_poll) {
    EXPECT_TRUE(read_in_turn({{5, 4}}, {7}).in_motion);
    EXPECT_TRUE(read_in_turn({{5, 4}}, {7, 8}).in_motion);
}

}  // namespace
}  // namespace sluice::control
