// EventQueue: what is to happen, by time; at one moment in the order in which it was asked for.
//
// A calendar (Brown, "Calendar Queues: A Fast O(1) Priority Queue Implementation for the Simulation
// Event Set Problem", Communications of the ACM 31(10), 1988) of days of 8.2 ns: what is to happen
// on a later day of this year is only put down on its day, and sorted when that day comes. What is
// to happen after a year, 33 us, waits in a heap.
// Bound: O(1) an event where few fall on one day, however many are waited for; a day of n events
// costs their sorting, and each event that is put down for today moves those of today behind it.
// Days on which nothing happens cost nothing. Memory is that of the events.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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
    uint64_t serial;
    Actor* who;
    Packet* packet;  // that arrives; null: none does

    friend bool operator<(const Event& a, const Event& b) {
        return a.at != b.at ? a.at < b.at : a.serial < b.serial;
    }
    friend bool operator>(const Event& a, const Event& b) { return b < a; }
};

class EventQueue {
  public:
    EventQueue() { days_.fill({nothing, nothing}); }

    void push(Picos at, Actor* who, Packet* packet) {
        const Event event{at, serial_++, who, packet};
        const int64_t day = day_of(at);
        if (day <= today_) {
            put_down_for_today(event);
        } else if (day < today_ + days_a_year) {
            put_down(day, event);
        } else {
            later_.push(event);
        }
    }
    // The next to happen; null: nothing is waited for.
    [[nodiscard]] const Event* first() {
        if (at_ == current_.size() && !next_day()) return nullptr;
        return &current_[at_];
    }
    // Takes what `first` showed.
    void pop() { ++at_; }
    [[nodiscard]] Bytes memory() const {
        return Bytes(static_cast<int64_t>(entries_.capacity() * sizeof(Entry) +
                                          (current_.capacity() + later_.size()) * sizeof(Event)));
    }

  private:
    static constexpr int64_t days_a_year = 4096;
    static constexpr unsigned day_bits = 13;  // of picoseconds
    static constexpr uint32_t nothing = UINT32_MAX;

    struct Entry {
        Event event;
        uint32_t next;
    };
    struct Day {
        uint32_t first;
        uint32_t last;
    };
    static_assert(days_a_year == 64 * 64, "two levels of a word tell the next day with events");

    static int64_t day_of(Picos at) { return at.count() >> day_bits; }
    static std::size_t place_of(int64_t day) {
        return static_cast<std::size_t>(day & (days_a_year - 1));
    }
    static uint64_t bit(std::size_t n) { return uint64_t{1} << n % 64; }

    void put_down_for_today(const Event& event) {
        auto place = current_.end();
        while (place != current_.begin() + static_cast<std::ptrdiff_t>(at_) &&
               event.at < std::prev(place)->at) {
            --place;
        }
        current_.insert(place, event);
    }
    void put_down(int64_t day, const Event& event) {
        uint32_t entry = free_;
        if (entry == nothing) {
            entry = static_cast<uint32_t>(entries_.size());
            entries_.emplace_back();
        } else {
            free_ = entries_[entry].next;
        }
        entries_[entry] = {event, nothing};
        const std::size_t place = place_of(day);
        Day& list = days_[place];
        if (list.first == nothing) {
            list.first = entry;
            busy_days_[place / 64] |= bit(place);
            busy_words_ |= bit(place / 64);
        } else {
            entries_[list.last].next = entry;
        }
        list.last = entry;
    }
    // Turns to the next day on which something happens. False: there is none.
    bool next_day() {
        current_.clear();
        at_ = 0;
        if (busy_words_ == 0) {
            if (later_.empty()) return false;
            today_ = day_of(later_.top().at) - 1;
            take_from_later();
        }
        today_ += days_until_busy();
        take_from_later();
        const std::size_t place = place_of(today_);
        for (uint32_t entry = days_[place].first; entry != nothing;) {
            current_.push_back(entries_[entry].event);
            // Whoever it happens to is seldom in the cache, and there is something to do before it.
            __builtin_prefetch(current_.back().who);
            __builtin_prefetch(current_.back().packet);
            const uint32_t next = entries_[entry].next;
            entries_[entry].next = free_;
            free_ = entry;
            entry = next;
        }
        days_[place] = {nothing, nothing};
        busy_days_[place / 64] &= ~bit(place);
        if (busy_days_[place / 64] == 0) busy_words_ &= ~bit(place / 64);
        if (!std::is_sorted(current_.begin(), current_.end())) {
            std::sort(current_.begin(), current_.end());
        }
        return true;
    }
    // What has come within a year.
    void take_from_later() {
        while (!later_.empty() && day_of(later_.top().at) < today_ + days_a_year) {
            put_down(day_of(later_.top().at), later_.top());
            later_.pop();
        }
    }
    // At least one of the days of the year after today is busy; today is not.
    [[nodiscard]] int64_t days_until_busy() const {
        const std::size_t from = place_of(today_ + 1);
        const uint64_t in_word = busy_days_[from / 64] >> from % 64;
        if (in_word != 0) return 1 + std::countr_zero(in_word);
        const std::size_t word = from / 64;
        // The word itself comes again at the end of the year, with the days before `from`.
        const auto turned = std::rotr(busy_words_, static_cast<int>(word + 1) % 64);
        const std::size_t skipped = static_cast<std::size_t>(std::countr_zero(turned)) + 1;
        const std::size_t found = (word + skipped) % 64;
        const auto in_found = static_cast<std::size_t>(std::countr_zero(busy_days_[found]));
        return 1 +
               static_cast<int64_t>(place_of(static_cast<int64_t>(found * 64 + in_found - from)));
    }

    uint64_t serial_ = 0;
    int64_t today_ = 0;
    std::vector<Event> current_;  // of today and before, sorted
    std::size_t at_ = 0;          // in it; what is before has happened
    std::array<Day, days_a_year> days_;
    std::array<uint64_t, 64> busy_days_{};
    uint64_t busy_words_ = 0;  // of those, not 0
    std::vector<Entry> entries_;
    uint32_t free_ = nothing;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> later_;
};

}  // namespace sluice::sim
