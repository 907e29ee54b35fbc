// SingleProducerRing: items from one thread to one other, in order and without a lock: the one ring
// of the dataplane. Workers tell each other by it, and hand frames over (fabric/handoff.h); copies
// of frames (copy_ring.h) and the frames of control protocols (mailbox.h) go between workers and
// control by it. DPDK calls it a ring with single producer and single consumer.
// Bound: `capacity` items, a power of two, or as many as `reserve` was given where that is
// `given_at_start`; an item that finds no place is refused, for a span there must be room. Staged
// items become visible together when they are published, so a burst costs the other core one cache
// miss of the index.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "dataplane/types/hot_memory.h"

namespace sluice {

inline constexpr uint32_t given_at_start = 0;

template <class Item, uint32_t capacity = 1024>
class SingleProducerRing {
  public:
    static_assert((capacity & (capacity - 1)) == 0, "positions wrap by mask");

    // Before anybody uses it, where it is `given_at_start`: a power of two.
    void reserve(uint32_t items) {
        static_assert(capacity == given_at_start);
        assert((items & (items - 1)) == 0);
        ring_.resize(items);
        mask_ = items - 1;
    }

    // --- by the producer ------------------------------------------------------------------------
    // False: it finds no place.
    bool push(const Item& item) {
        const bool has_place = stage(item);
        publish();
        return has_place;
    }
    // The same for an item too large to be copied as a whole: `write(Item&)` fills in its place,
    // which holds what was there before.
    template <class Write>
    bool push_in_place(Write write) {
        if (!has_room(1)) return false;
        write(ring_[staged_++ & mask()]);
        publish();
        return true;
    }
    // As `push`, but the consumer does not see it before `publish`.
    bool stage(const Item& item) {
        if (!has_room(1)) return false;
        ring_[staged_++ & mask()] = item;
        return true;
    }
    // All of them; there must be room, as `seems_to_have_room` says.
    void stage(std::span<const Item> items) {
        assert(seems_to_have_room(items.size()));
        uint32_t next = staged_;  // not in memory, which an item may alias
        for (const Item& item : items) ring_[next++ & mask()] = item;
        staged_ = next;
    }
    // Whether there is room, by what the producer knows of what was taken: it does not look at the
    // consumer's index, so there may be more room than it says.
    [[nodiscard]] bool seems_to_have_room(std::size_t items) const {
        return places() - (staged_ - taken_) >= items;
    }
    // Whether there is room; looks at the consumer's index only where that decides.
    bool has_room(uint32_t items) {
        return seems_to_have_room(items) || places() - not_taken() >= items;
    }
    // Takes back the last of those that are staged and not published.
    void withdraw(uint32_t items) { staged_ -= items; }
    void publish() { tail_.store(staged_, std::memory_order_release); }
    // Of those staged or pushed, how many the consumer has not taken yet. What it wrote before it
    // took the others can be read from now on.
    std::size_t not_taken() {
        forget_taken([](const Item&) {});
        return staged_ - taken_;
    }
    // Visits, in order, those that the consumer has taken since this was last called. For a
    // producer that stages spans alone: each other call of a producer forgets what was taken
    // without a visit.
    template <class Visit>
    void forget_taken(Visit visit) {
        const uint32_t head = head_.load(std::memory_order_acquire);
        for (; taken_ != head; ++taken_) visit(ring_[taken_ & mask()]);
    }

    // --- by the consumer ------------------------------------------------------------------------
    // All that is there by now. It counts as taken once all of it was visited, and `then` called.
    template <class Visit, class Then>
    void take(Visit visit, Then then) {
        const uint32_t tail = tail_.load(std::memory_order_acquire);
        uint32_t head = head_.load(std::memory_order_relaxed);
        if (head == tail) return;
        for (; head != tail; ++head) {
            if (tail - head > ahead) __builtin_prefetch(&ring_[(head + ahead) & mask()]);
            visit(ring_[head & mask()]);
        }
        then();
        head_.store(head, std::memory_order_release);
    }
    template <class Visit>
    void take(Visit visit) {
        take(visit, [] {});
    }

    // The oldest, which stays until `pop`. Null: there is none.
    [[nodiscard]] const Item* front() const {
        const uint32_t head = head_.load(std::memory_order_relaxed);
        if (head == tail_.load(std::memory_order_acquire)) return nullptr;
        return &ring_[head & mask()];
    }
    void pop() {
        head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

    // --- by any thread --------------------------------------------------------------------------
    [[nodiscard]] bool empty() const {
        const uint32_t head = head_.load(std::memory_order_acquire);
        return head == tail_.load(std::memory_order_acquire);
    }

  private:
    // How far ahead items are prefetched; none that is not there yet, since the other core is about
    // to write to its line.
    static constexpr uint32_t ahead = 16;
    static constexpr bool is_fixed = capacity != given_at_start;

    [[nodiscard]] uint32_t mask() const { return is_fixed ? capacity - 1 : mask_; }
    [[nodiscard]] uint32_t places() const { return mask() + 1; }

    alignas(64) std::conditional_t<is_fixed, std::array<Item, capacity>, HotVector<Item>> ring_;
    uint32_t mask_ = 0;  // where that is given at start
    // Written by the producer: how many it has staged, and knows to be taken.
    alignas(64) uint32_t staged_ = 0;
    uint32_t taken_ = 0;
    alignas(64) std::atomic<uint32_t> tail_{0};
    alignas(64) std::atomic<uint32_t> head_{0};
};

}  // namespace sluice
