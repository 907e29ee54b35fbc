#include "tools/gen/address_turns.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice::gen {
namespace {

TEST(AddressTurns, AreWhatIsSaidOfFrameS) {
    for (const uint32_t addresses : {1U, 2U, 7U, 8U, 9U, 1000U}) {
        const uint32_t peers = std::min(addresses, AddressTurns::most_peers);
        AddressTurns turns;
        for (uint32_t s = 0; s < 20 * addresses; ++s) {
            const uint32_t to = (s + s / addresses % peers) % addresses;
            ASSERT_EQ(turns.next(addresses), (AddressTurns::Pair{s % addresses, to}))
                << addresses << ' ' << s;
        }
    }
}

TEST(AddressTurns, GoThroughAllPairsBeforeOneComesAgain) {
    for (const uint32_t addresses : {1U, 2U, 5U, 8U, 1024U, 65536U}) {
        const std::size_t pairs =
            std::size_t{addresses} * std::min(addresses, AddressTurns::most_peers);
        AddressTurns turns;
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (std::size_t s = 0; s < pairs; ++s) {
            const auto pair = turns.next(addresses);
            EXPECT_LT(std::max(pair.from, pair.to), addresses);
            seen.emplace(pair.from, pair.to);
        }
        EXPECT_EQ(seen.size(), pairs);
        EXPECT_EQ(turns.next(addresses), (AddressTurns::Pair{0, 0}));
    }
}

}  // namespace
}  // namespace sluice::gen
