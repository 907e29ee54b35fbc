// TimeHistory: measures how long a state lasted, in total, in the last second and in the last
// minute; how often it began, and when it began last.
//
// Whole seconds are kept in a ring of 64 words, each tagged with its second, so old words are
// recognised without being cleared. A state that has not ended is counted up to `now`, or up to its
// known end.
// Bound: `end` costs one step for each second since the beginning, at most 64. One writer, any
// readers; a reader may miss a span that ends at that moment, but never counts it twice.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "dataplane/types/counters.h"
#include "dataplane/types/units.h"

namespace sluice {

class TimeHistory {
  public:
    void begin(Nanos now) {
        assert(since() == none && "a span ends before the next begins");
        assert(now != none);
        spans_.add(1);
        ends_.store(never.count(), std::memory_order_relaxed);
        since_.store(now.count(), std::memory_order_relaxed);
    }
    // Sets the time at which the present state ends, even if `end` is called later.
    void ends_at(Nanos time) { ends_.store(time.count(), std::memory_order_relaxed); }
    void end(Nanos at) {
        const Nanos from = since();
        if (from == none) return;
        recent_from_.store(from.count(), std::memory_order_relaxed);
        recent_length_.store(std::max(Nanos(0), at - from).count(), std::memory_order_relaxed);
        since_.store(none.count(), std::memory_order_relaxed);
        if (at <= from) return;
        total_.add(static_cast<uint64_t>((at - from).count()));
        add_to_seconds(std::max(from, at - longest), at);
    }

    [[nodiscard]] bool lasts(Nanos now) const {
        return since() != none && now < Nanos(ends_.load(std::memory_order_relaxed));
    }
    // Returns how often the state began.
    [[nodiscard]] uint64_t spans() const { return spans_.value(); }
    // The most recent span: its beginning, and its length up to `now`. Valid once a span has begun.
    struct Span {
        Nanos from;
        Nanos length;
    };
    [[nodiscard]] Span recent(Nanos now) const {
        const Nanos began = since();
        if (began != none) return {began, lasting(began, now)};
        return {Nanos(recent_from_.load(std::memory_order_relaxed)),
                Nanos(recent_length_.load(std::memory_order_relaxed))};
    }
    // Returns the total length of the spans that have ended.
    [[nodiscard]] Nanos ended() const { return Nanos(static_cast<int64_t>(total_.value())); }
    [[nodiscard]] Nanos total(Nanos now) const {
        const Nanos before = ended();
        return before + lasting(Nanos(0), now);
    }
    // Returns the length within the last whole second before `now`.
    [[nodiscard]] Nanos last_second(Nanos now) const { return last(1, now); }
    // Returns the length within the last 60 whole seconds.
    [[nodiscard]] Nanos last_minute(Nanos now) const { return last(60, now); }

  private:
    static constexpr int64_t seconds = 64;
    static constexpr Nanos second{1'000'000'000};
    static constexpr Nanos longest = second * (seconds - 1);
    static constexpr Nanos none{-1};
    static constexpr Nanos never{INT64_MAX};
    // A word has the number of its second, and nanoseconds in that second.
    static constexpr int nanos_bits = 30;
    static constexpr uint64_t nanos_mask = (uint64_t{1} << nanos_bits) - 1;
    static_assert(second.count() <= static_cast<int64_t>(nanos_mask));

    [[nodiscard]] Nanos since() const { return Nanos(since_.load(std::memory_order_relaxed)); }
    // Returns the part of [from, to) that belongs to a span that has not ended.
    [[nodiscard]] Nanos lasting(Nanos from, Nanos to) const {
        const Nanos began = since();
        const Nanos ends(ends_.load(std::memory_order_relaxed));
        if (began == none) return Nanos(0);
        return std::max(Nanos(0), std::min(to, ends) - std::max(from, began));
    }
    void add_to_seconds(Nanos from, Nanos to) {
        while (from < to) {
            assert(from >= Nanos(0));
            const int64_t number = from.count() / second.count();
            const Nanos until = std::min(to, second * (number + 1));
            Counter& word = ring_[static_cast<std::size_t>(number % seconds)];
            const auto tag = static_cast<uint64_t>(number) << nanos_bits;
            const uint64_t known = (word.value() & ~nanos_mask) == tag ? word.value() : tag;
            word.set(known + static_cast<uint64_t>((until - from).count()));
            from = until;
        }
    }
    [[nodiscard]] Nanos last(int64_t count, Nanos now) const {
        const int64_t current = now.count() / second.count();
        Nanos sum;
        for (int64_t number = std::max<int64_t>(0, current - count); number < current; ++number) {
            const uint64_t word = ring_[static_cast<std::size_t>(number % seconds)].value();
            if (word >> nanos_bits != static_cast<uint64_t>(number)) continue;
            sum += Nanos(static_cast<int64_t>(word & nanos_mask));
        }
        return sum + lasting(second * (current - count), second * current);
    }

    std::atomic<int64_t> since_{none.count()};
    std::atomic<int64_t> ends_{never.count()};
    Counter total_;
    std::array<Counter, seconds> ring_;
    Counter spans_;
    std::atomic<int64_t> recent_from_{0};  // beginning of the last span that has ended
    std::atomic<int64_t> recent_length_{0};
};

}  // namespace sluice
