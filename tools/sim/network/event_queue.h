// EventQueue: future events, ordered by time; events at the same time are in the order of
// scheduling.
//
// A calendar (Brown, "Calendar Queues: A Fast O(1) Priority Queue Implementation for the Simulation
// Event Set Problem", Communications of the ACM 31(10), 1988) with days of 4.1 ns and a year of 33
// us. An event on a later day of this year is inserted in order if that takes few steps; otherwise
// it is appended, and its day is sorted when the day begins. Events more than a year ahead wait in
// a heap.
// Bound: O(1) for an event if few are on one day, for any number of pending events. A day of n
// events may cost a sort of n events. The search for the place of an event for today passes all
// earlier events of today. Days without events cost nothing. Memory grows with the pending events.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "tools/sim/network/picos.h"

namespace sluice::sim {

class Actor;
struct Packet;

struct Event {
    Picos at;
    Actor* who;
    Packet* packet;  // packet that arrives; null if none does
};

class EventQueue {
  public:
    EventQueue() { days_.fill(nothing); }

    void push(Picos at, Actor* who, Packet* packet) {
        const int64_t day = day_of(at);
        if (day >= today_ + days_a_year) [[unlikely]]
            return put_off({at, who, packet});
        const uint32_t entry = take_entry();
        entries_[entry].event = {at, who, packet};
        if (day > today_) {
            put_down(day, entry);
        } else {
            put_down_for_today(entry);
        }
    }
    // Returns the next event; null if there is none.
    [[nodiscard]] const Event* first() {
        if (first_ == nothing && !next_day()) return nullptr;
        return &entries_[first_].event;
    }
    // Removes the event that `first` returned.
    void pop() {
        assert(first_ != nothing);
        const uint32_t taken = first_;
        first_ = entries_[taken].next;
        entries_[taken].next = free_;
        free_ = taken;
    }
    [[nodiscard]] Bytes memory() const {
        return Bytes(static_cast<int64_t>(entries_.capacity() * sizeof(Entry) +
                                          jumbled_.capacity() * sizeof(Jumbled) +
                                          later_.size() * sizeof(Later)));
    }

  private:
    static constexpr unsigned day_bits = 12;  // a day has 2^12 ps
    static constexpr int64_t days_a_year = 8192;
    static constexpr std::size_t words = days_a_year / 64;
    static constexpr uint32_t nothing = UINT32_MAX;
    static constexpr int most_steps = 8;  // most steps to an event's place within its day

    struct Entry {
        Event event;
        uint32_t next;
    };
    struct Later {
        Event event;
        uint64_t serial;

        friend bool operator>(const Later& a, const Later& b) {
            return a.event.at != b.event.at ? a.event.at > b.event.at : a.serial > b.serial;
        }
    };
    struct Jumbled {
        Picos at;
        uint32_t place;  // position within its day
        uint32_t entry;

        friend bool operator<(const Jumbled& a, const Jumbled& b) {
            return a.at != b.at ? a.at < b.at : a.place < b.place;
        }
    };

    static int64_t day_of(Picos at) { return at.count() >> day_bits; }
    static std::size_t place_of(int64_t day) {
        return static_cast<std::size_t>(day & (days_a_year - 1));
    }
    static uint64_t bit(std::size_t n) { return uint64_t{1} << n % 64; }

    uint32_t take_entry() {
        if (free_ == nothing) [[unlikely]]
            grow();
        const uint32_t entry = free_;
        free_ = entries_[entry].next;
        return entry;
    }
    // Not inlined into the code that runs for every frame, where it would take registers.
    [[gnu::noinline]] void grow() {
        free_ = static_cast<uint32_t>(entries_.size());
        entries_.push_back({{}, nothing});
    }
    [[gnu::noinline]] void put_off(const Event& event) { later_.push({event, serial_++}); }
    void put_down_for_today(uint32_t entry) {
        const Picos at = entries_[entry].event.at;
        uint32_t* place = &first_;
        while (*place != nothing && entries_[*place].event.at <= at) {
            place = &entries_[*place].next;
        }
        entries_[entry].next = *place;
        *place = entry;
    }
    // A day's list is a ring; `days_` has its last entry.
    void put_down(int64_t day, uint32_t entry) {
        assert(today_ < day && day < today_ + days_a_year);
        const std::size_t place = place_of(day);
        const uint32_t last = days_[place];
        if (last == nothing) {
            days_[place] = entry;
            entries_[entry].next = entry;
            busy_days_[place / 64] |= bit(place);
            busy_words_[place / 4096] |= bit(place / 64);
            return;
        }
        if (entries_[entry].event.at < entries_[last].event.at) {
            put_down_before(place, last, entry);
            return;
        }
        days_[place] = entry;
        put_behind(last, entry);
    }
    void put_behind(uint32_t before, uint32_t entry) {
        entries_[entry].next = entries_[before].next;
        entries_[before].next = entry;
    }
    // Inserts an event into a day that has a later one. `last`: the last event of that day.
    void put_down_before(std::size_t place, uint32_t last, uint32_t entry) {
        const Picos at = entries_[entry].event.at;
        uint32_t before = last;
        for (int step = 0; step < most_steps && !is_jumbled(place); ++step) {
            const uint32_t next = entries_[before].next;
            if (at < entries_[next].event.at) return put_behind(before, entry);
            before = next;
        }
        jumbled_days_[place / 64] |= bit(place);
        days_[place] = entry;
        put_behind(last, entry);
    }
    [[nodiscard]] bool is_jumbled(std::size_t place) const {
        return (jumbled_days_[place / 64] & bit(place)) != 0;
    }
    // Advances to the next day with events. Returns false if there is none.
    bool next_day() {
        if (!is_any_busy()) [[unlikely]] {
            if (later_.empty()) return false;
            today_ = day_of(later_.top().event.at) - 1;
            take_from_later();
        }
        [[maybe_unused]] const int64_t before = today_;
        today_ += days_until_busy();
        assert(before < today_ && today_ <= before + days_a_year);
        take_from_later();
        const std::size_t place = place_of(today_);
        const uint32_t last = days_[place];
        assert(first_ == nothing && last != nothing);
        first_ = entries_[last].next;
        entries_[last].next = nothing;
        days_[place] = nothing;
        uint64_t& word = busy_days_[place / 64];
        word &= ~bit(place);
        if (word == 0) busy_words_[place / 4096] &= ~bit(place / 64);
        if (first_ == last) return true;
        // Prefetches the actors and packets of the day's events: they are seldom in the cache.
        for (uint32_t entry = first_; entry != nothing; entry = entries_[entry].next) {
            __builtin_prefetch(entries_[entry].event.who);
            __builtin_prefetch(entries_[entry].event.packet);
        }
        if (is_jumbled(place)) [[unlikely]] {
            jumbled_days_[place / 64] &= ~bit(place);
            sort_today();
        }
        return true;
    }
    [[gnu::noinline]] void sort_today() {
        jumbled_.clear();
        for (uint32_t entry = first_; entry != nothing; entry = entries_[entry].next) {
            const auto place = static_cast<uint32_t>(jumbled_.size());
            jumbled_.push_back({entries_[entry].event.at, place, entry});
        }
        std::sort(jumbled_.begin(), jumbled_.end());
        uint32_t* place = &first_;
        for (const Jumbled& next : jumbled_) {
            *place = next.entry;
            place = &entries_[next.entry].next;
        }
        *place = nothing;
    }
    // Moves events that are now within a year from the heap to their days.
    void take_from_later() {
        if (comes_within_a_year()) [[unlikely]]
            put_down_later();
    }
    [[nodiscard]] bool comes_within_a_year() const {
        return !later_.empty() && day_of(later_.top().event.at) < today_ + days_a_year;
    }
    [[gnu::noinline]] void put_down_later() {
        do {
            const uint32_t entry = take_entry();
            entries_[entry].event = later_.top().event;
            put_down(day_of(later_.top().event.at), entry);
            later_.pop();
        } while (comes_within_a_year());
    }
    [[nodiscard]] bool is_any_busy() const {
        return std::ranges::any_of(busy_words_, [](uint64_t busy) { return busy != 0; });
    }
    // Returns the days until the next busy day. Today must not be busy, and a later day must be.
    [[nodiscard]] int64_t days_until_busy() const {
        const std::size_t from = place_of(today_ + 1);
        const uint64_t in_word = busy_days_[from / 64] >> from % 64;
        if (in_word != 0) return 1 + std::countr_zero(in_word);
        // The search wraps round and may end in the word of `from`, with the days before `from`.
        std::size_t word = (from / 64 + 1) % words;
        uint64_t in_group = busy_words_[word / 64] >> word % 64;
        while (in_group == 0) {
            word = (word / 64 + 1) * 64 % words;
            in_group = busy_words_[word / 64];
        }
        word += static_cast<std::size_t>(std::countr_zero(in_group));
        const auto in_found = static_cast<std::size_t>(std::countr_zero(busy_days_[word]));
        return 1 +
               static_cast<int64_t>(place_of(static_cast<int64_t>(word * 64 + in_found - from)));
    }

    int64_t today_ = 0;
    uint32_t first_ = nothing;  // first event of today and before, in order
    uint32_t free_ = nothing;
    std::vector<Entry> entries_;
    std::array<uint32_t, days_a_year> days_;  // last entry of each day
    std::array<uint64_t, words> busy_days_{};
    std::array<uint64_t, words / 64> busy_words_{};  // bit n is set if busy_days_[n] is not 0
    std::array<uint64_t, words> jumbled_days_{};     // busy days that have to be sorted
    std::vector<Jumbled> jumbled_;
    std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
    uint64_t serial_ = 0;  // serial number for `later_`
};

}  // namespace sluice::sim
