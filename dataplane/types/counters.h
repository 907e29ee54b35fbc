// Counter: a number that one thread writes and any thread may read. An addition is a plain load,
// add and store, without a locked instruction. A reader gets a value that was true at some moment;
// the values of two counters may be of different moments.
// Gauge: a number that rises and falls, and its high-water mark. A rise costs nothing extra: the
// mark is updated when the number falls, and computed when it is read.
// To add a counter that `sluice show` and Prometheus know: control/show/counter_rows.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>

namespace sluice {

template <class Word>
class CounterOf {
  public:
    CounterOf() = default;
    CounterOf(const CounterOf&) = delete;
    CounterOf& operator=(const CounterOf&) = delete;

    void add(Word amount) { value_.store(value() + amount, std::memory_order_relaxed); }
    void subtract(Word amount) {
        assert(amount <= value());
        value_.store(value() - amount, std::memory_order_relaxed);
    }
    void set(Word amount) { value_.store(amount, std::memory_order_relaxed); }
    void raise_to(Word level) {
        if (level > value()) value_.store(level, std::memory_order_relaxed);
    }
    [[nodiscard]] Word value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<Word> value_{0};
};

using Counter = CounterOf<uint64_t>;

class Gauge {
  public:
    void add(uint64_t amount) { now_.add(amount); }
    void subtract(uint64_t amount) {
        const uint64_t before = value();
        assert(amount <= before);
        peak_.raise_to(before);
        now_.set(before - amount);
    }
    [[nodiscard]] uint64_t value() const { return now_.value(); }
    [[nodiscard]] uint64_t peak() const {
        const uint64_t now = value();  // read first: if the value falls now, the peak includes it
        return std::max(now, peak_.value());
    }
    // Restarts the high-water mark at the present value.
    void clear_peak() { peak_.set(0); }

  private:
    Counter now_;
    Counter peak_;  // the high-water mark at the last fall
};

}  // namespace sluice
