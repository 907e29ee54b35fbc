#include "dataplane/types/hot_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory_resource>

namespace sluice {
namespace {

// Counts memory that is taken and not given back.
class Counting : public std::pmr::memory_resource {
  public:
    Counting() : before_(std::pmr::set_default_resource(this)) {}
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    ~Counting() override { std::pmr::set_default_resource(before_); }

    [[nodiscard]] std::size_t octets() const { return octets_; }

  private:
    void* do_allocate(std::size_t octets, std::size_t alignment) override {
        octets_ += octets;
        return before_->allocate(octets, alignment);
    }
    void do_deallocate(void* place, std::size_t octets, std::size_t alignment) override {
        octets_ -= octets;
        before_->deallocate(place, octets, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::pmr::memory_resource* before_;
    std::size_t octets_ = 0;
};

TEST(HotRoom, TakesWhatItReservesAndGivesItBack) {
    const Counting memory;
    {
        HotRoom<uint32_t> room;
        EXPECT_EQ(memory.octets(), 0U);
        room.reserve(100);
        EXPECT_EQ(memory.octets(), 400U);
        room.places().back() = 7;
        EXPECT_EQ(room.places().size(), 100U);
        room.reserve(10);
        EXPECT_EQ(memory.octets(), 40U);
    }
    EXPECT_EQ(memory.octets(), 0U);
}

}  // namespace
}  // namespace sluice
