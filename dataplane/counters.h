// Counter: a number that one thread writes and any thread may read. No read-modify-write on the
// bus: a plain load, add and store. A reader sees some value that was true; two counters read one
// after the other may be from different moments.
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice {

class Counter {
  public:
    Counter() = default;
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    void add(uint64_t amount) { value_.store(value() + amount, std::memory_order_relaxed); }
    void subtract(uint64_t amount) { value_.store(value() - amount, std::memory_order_relaxed); }
    void set(uint64_t amount) { value_.store(amount, std::memory_order_relaxed); }
    void raise_to(uint64_t level) {
        if (level > value()) value_.store(level, std::memory_order_relaxed);
    }
    [[nodiscard]] uint64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<uint64_t> value_{0};
};

}  // namespace sluice
