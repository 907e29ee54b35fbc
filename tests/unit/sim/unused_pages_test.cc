#include "tools/sim/network/unused_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace sluice::sim {
namespace {

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// Eight pages of the system, each with an octet written.
class UnusedPagesTest : public testing::Test {
  protected:
    UnusedPagesTest()
        : memory_(static_cast<std::byte*>(
              mmap(nullptr, octets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        for (std::size_t at = 0; at < octets; at += page) memory_[at] = std::byte{1};
    }
    ~UnusedPagesTest() override { munmap(memory_, octets); }

    void clear(std::size_t number) { memory_[number * page] = std::byte{0}; }
    // A letter a page: whether it takes memory.
    [[nodiscard]] std::string resident() const {
        std::vector<unsigned char> are(octets / page);
        mincore(memory_, octets, are.data());
        std::string text;
        for (const unsigned char is : are) text += (is & 1) != 0 ? 'x' : '.';
        return text;
    }

    const std::size_t octets = 8 * page;
    std::byte* memory_;
};

TEST_F(UnusedPagesTest, GivesBackWhatIsZeroAndKeepsTheRest) {
    for (const std::size_t number : {0U, 2U, 3U, 7U}) clear(number);
    memory_[3 * page + page - 1] = std::byte{7};
    UnusedPages()(std::span(memory_, octets));
    EXPECT_EQ(resident(), ".x.xxxx.");
    EXPECT_EQ(memory_[page], std::byte{1});
    EXPECT_EQ(memory_[3 * page + page - 1], std::byte{7});
    EXPECT_EQ(memory_[2 * page], std::byte{0});
}

TEST_F(UnusedPagesTest, LeavesPagesAloneThatAreNotItsOwnAsAWhole) {
    for (std::size_t number = 0; number < 8; ++number) clear(number);
    UnusedPages()(std::span(memory_ + 1, octets - 2));
    EXPECT_EQ(resident(), "x......x");
    UnusedPages()(std::span(memory_ + 1, page - 2));
    EXPECT_EQ(resident(), "x......x");
}

TEST_F(UnusedPagesTest, WhatIsGivenBackCanBeUsedAgain) {
    for (std::size_t number = 0; number < 8; ++number) clear(number);
    UnusedPages()(std::span(memory_, octets));
    memory_[5 * page] = std::byte{3};
    EXPECT_EQ(resident(), ".....x..");
}

}  // namespace
}  // namespace sluice::sim
