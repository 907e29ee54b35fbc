#include "dataplane/forward/neighbour_filter.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/support/octets.h"

namespace sluice {
namespace {

constexpr MacAddress mac{0x0200'0000'0001};

TEST(NeighbourFilter, HasWhatWasAddedUntilItIsRemoved) {
    NeighbourFilter filter(64, 1);
    const uint64_t word = filter.answered(10, Ipv4Address{1});
    EXPECT_FALSE(filter.has(word));
    EXPECT_TRUE(filter.add(word));
    EXPECT_TRUE(filter.has(word));
    filter.remove(word);
    EXPECT_FALSE(filter.has(word));
    filter.remove(word);
    EXPECT_FALSE(filter.has(word));
}

TEST(NeighbourFilter, IsOffWithoutCapacity) {
    EXPECT_FALSE(NeighbourFilter(0, 1).is_on());
    EXPECT_TRUE(NeighbourFilter(1, 1).is_on());
}

TEST(NeighbourFilter, EachIsAnotherWord) {
    const NeighbourFilter filter(64, 1);
    const NeighbourFilter other(64, 2);
    std::set<uint64_t> words;
    std::size_t count = 0;
    const auto add = [&](uint64_t word) {
        words.insert(word);
        ++count;
    };
    for (uint32_t n = 0; n < 256; ++n) {
        const IpAddress ipv4 = Ipv4Address{0xC000'0200 + n};
        const IpAddress ipv6 = test::ipv6_of(1, static_cast<uint8_t>(n));
        for (const IpAddress& ip : {ipv4, ipv6}) {
            add(filter.answered(1, ip));
            add(filter.answered(2, ip));
            add(filter.known(1, ip, mac, false));
            add(filter.known(1, ip, mac, true));
            add(filter.known(1, ip, {mac.bits + 1}, false));
            add(other.answered(1, ip));
        }
    }
    EXPECT_EQ(words.size(), count);
    EXPECT_FALSE(words.contains(0));
}

TEST(NeighbourFilter, TakesAsManyAsItIsFor) {
    constexpr uint32_t most = 4096;
    NeighbourFilter filter(most, 7);
    for (uint32_t n = 0; n < most; ++n) {
        ASSERT_TRUE(filter.add(filter.answered(1, Ipv4Address{n}))) << n;
    }
    for (uint32_t n = 0; n < most; ++n) {
        EXPECT_TRUE(filter.has(filter.answered(1, Ipv4Address{n}))) << n;
    }
    uint32_t refused = 0;
    for (uint32_t n = most; n < 4 * most; ++n) {
        if (!filter.add(filter.answered(1, Ipv4Address{n}))) ++refused;
    }
    EXPECT_GT(refused, 0U);
}

TEST(NeighbourFilter, WorkersReadWhileControlWrites) {
    NeighbourFilter filter(64, 1);
    const uint64_t stays = filter.answered(1, Ipv4Address{1});
    ASSERT_TRUE(filter.add(stays));
    std::atomic<bool> ended{false};
    std::size_t missed = 0;
    std::thread worker([&] {
        while (!ended.load(std::memory_order_relaxed)) {
            if (!filter.has(stays)) ++missed;
        }
    });
    for (uint32_t n = 2; n < 20'000; ++n) {
        const uint64_t word = filter.answered(1, Ipv4Address{n});
        if (filter.add(word)) filter.remove(word);
    }
    ended = true;
    worker.join();
    EXPECT_EQ(missed, 0U);
}

}  // namespace
}  // namespace sluice
