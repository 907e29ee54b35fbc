#include "pmd_glue/large_pages.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace sluice::pmd {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;

uintptr_t number_of(const void* place) { return reinterpret_cast<uintptr_t>(place); }

// The flags of the mapping that holds it, as /proc/self/smaps has them.
std::string flags_of(const void* place) {
    std::ifstream lines("/proc/self/smaps");
    bool within = false;
    for (std::string line; std::getline(lines, line);) {
        unsigned long from = 0;
        unsigned long to = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) {
            within = from <= number_of(place) && number_of(place) < to;
        } else if (within && line.starts_with("VmFlags:")) {
            return line;
        }
    }
    return {};
}

TEST(LargePages, WhatIsSmallSharesAPageAndNoLine) {
    LargePages pages;
    void* const first = pages.allocate(10, 8);
    void* const second = pages.allocate(10, 8);
    void* const aligned = pages.allocate(100, 4096);
    EXPECT_EQ(pages.pages(), 1U);
    EXPECT_NE(number_of(first) / 64, number_of(second) / 64);
    EXPECT_EQ(number_of(first) / page, number_of(aligned) / page);
    EXPECT_EQ(number_of(aligned) % 4096, 0U);
}

TEST(LargePages, WhatIsLongHasPagesOfItsOwn) {
    LargePages pages;
    void* const table = pages.allocate(3 * page - 4096, 64);
    EXPECT_EQ(number_of(table) % page, 0U);
    EXPECT_EQ(pages.pages(), 3U);
    void* const small = pages.allocate(64, 64);
    EXPECT_EQ(pages.pages(), 4U);
    pages.deallocate(table, 3 * page - 4096, 64);
    EXPECT_EQ(pages.pages(), 1U);
    pages.deallocate(small, 64, 64);
}

TEST(LargePages, AllIsThereAtOnceAndTheKernelMovesNothingLater) {
    LargePages pages;
    void* const table = pages.allocate(3 * page - 64, 64);
    std::array<unsigned char, 3 * page / 4096> there{};
    ASSERT_EQ(::mincore(table, 3 * page, there.data()), 0);
    EXPECT_TRUE(std::ranges::all_of(there, [](unsigned char one) { return (one & 1) != 0; }));
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) return;
    EXPECT_NE((flags_of(table) + ' ').find(" nh "), std::string::npos) << flags_of(table);
}

// If the distance were a power of two, the same word of many objects would share one set of a
// cache.
TEST(LargePages, ThingsOfOneLengthDoNotMeetInACache) {
    LargePages pages;
    const uintptr_t first = number_of(pages.allocate(65'536, 64));
    const uintptr_t second = number_of(pages.allocate(65'536, 64));
    ASSERT_EQ(pages.pages(), 1U);
    EXPECT_EQ((second - first) / 64 % 2, 1U);
}

TEST(LargePages, APageGoesBackWithTheLastThatLiesOnIt) {
    LargePages pages;
    void* const first = pages.allocate(1000, 64);
    void* const second = pages.allocate(1000, 64);
    pages.deallocate(first, 1000, 64);
    EXPECT_EQ(pages.pages(), 1U);
    std::memset(second, 1, 1000);
    pages.deallocate(second, 1000, 64);
    EXPECT_EQ(pages.pages(), 0U);
}

TEST(LargePages, ThreadsTakeAndGiveBackBesideEachOther) {
    LargePages pages;
    const auto work = [&pages](int value) {
        for (int turn = 0; turn < 200; ++turn) {
            auto* const place = static_cast<unsigned char*>(pages.allocate(60'000, 64));
            std::memset(place, value, 60'000);
            ASSERT_EQ(place[59'999], value);
            pages.deallocate(place, 60'000, 64);
        }
    };
    std::thread other(work, 1);
    work(2);
    other.join();
    EXPECT_EQ(pages.pages(), 0U);
}

}  // namespace
}  // namespace sluice::pmd
