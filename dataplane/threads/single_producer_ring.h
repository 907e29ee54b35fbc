// SingleProducerRing: passes items from one thread to another, in order and without a lock: the one
// ring of the dataplane. Workers use it to send each other notices, and to hand frames over
// (fabric/handoff.h). It also passes copies of frames (copy_ring.h) and the frames of control
// protocols (mailbox.h) between workers and control. DPDK calls it a ring with single producer and
// single consumer.
// Bound: `capacity` items, a power of two, or the argument of `reserve` if `capacity` is
// `given_at_start`. An item that finds no room is refused; for a span the caller must have checked
// the room. Staged items become visible together when they are published, so a burst costs the
// other core one cache miss of the index.
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

    // To be called before any use if `capacity` is `given_at_start`. `items`: a power of two.
    void reserve(uint32_t items) {
        static_assert(capacity == given_at_start);
        assert(items > 0 && (items & (items - 1)) == 0);
        ring_.resize(items);
        mask_ = items - 1;
    }

    // --- called by the producer -----------------------------------------------------------------
    // Returns false if there is no room.
    bool push(const Item& item) {
        const bool has_place = stage(item);
        publish();
        return has_place;
    }
    // Like `push`, for an item too large to be copied as a whole: `write(Item&)` writes to the
    // item's place in the ring, which still has the contents of an earlier item.
    template <class Write>
    bool push_in_place(Write write) {
        if (!has_room(1)) return false;
        write(ring_[staged_++ & mask()]);
        publish();
        return true;
    }
    // Like `push`, but the consumer does not see the item before `publish`.
    bool stage(const Item& item) {
        if (!has_room(1)) return false;
        ring_[staged_++ & mask()] = item;
        return true;
    }
    // Stages all items; `seems_to_have_room` must have returned true for them.
    void stage(std::span<const Item> items) {
        assert(seems_to_have_room(items.size()));
        uint32_t next = staged_;  // a local variable, which no item can alias
        for (const Item& item : items) ring_[next++ & mask()] = item;
        staged_ = next;
    }
    // Returns whether there is room, as far as the producer knows. It does not read the consumer's
    // index, so there may be more room than that.
    [[nodiscard]] bool seems_to_have_room(std::size_t items) const {
        return places() - (staged_ - taken_) >= items;
    }
    // Returns whether there is room; reads the consumer's index only if necessary.
    bool has_room(uint32_t items) {
        return seems_to_have_room(items) || places() - not_taken() >= items;
    }
    // Withdraws the last `items` staged items, which must not be published.
    void withdraw(uint32_t items) {
        assert(items <= staged_ - tail_.load(std::memory_order_relaxed));
        staged_ -= items;
    }
    void publish() { tail_.store(staged_, std::memory_order_release); }
    // Returns how many staged or pushed items the consumer has not taken yet. After the call,
    // memory that the consumer wrote before it took the other items may be read.
    std::size_t not_taken() {
        forget_taken([](const Item&) {});
        return staged_ - taken_;
    }
    // Visits, in order, the items that the consumer has taken since the last call. Only for a
    // producer that stages spans: the other calls of a producer forget taken items without a visit.
    template <class Visit>
    void forget_taken(Visit visit) {
        const uint32_t head = head_.load(std::memory_order_acquire);
        assert(staged_ - taken_ <= places() && head - taken_ <= staged_ - taken_);
        for (; taken_ != head; ++taken_) visit(ring_[taken_ & mask()]);
    }

    // --- called by the consumer -----------------------------------------------------------------
    // Visits all items. They count as taken after all were visited and `then` was called.
    template <class Visit, class Then>
    void take(Visit visit, Then then) {
        const uint32_t tail = tail_.load(std::memory_order_acquire);
        uint32_t head = head_.load(std::memory_order_relaxed);
        if (head == tail) return;
        assert(tail - head <= places());
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

    // Returns the oldest item, which stays until `pop`. Null: there is none.
    [[nodiscard]] const Item* front() const {
        const uint32_t head = head_.load(std::memory_order_relaxed);
        if (head == tail_.load(std::memory_order_acquire)) return nullptr;
        return &ring_[head & mask()];
    }
    void pop() {
        assert(!empty());
        head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

    // --- called by any thread -------------------------------------------------------------------
    [[nodiscard]] bool empty() const {
        const uint32_t head = head_.load(std::memory_order_acquire);
        return head == tail_.load(std::memory_order_acquire);
    }

  private:
    // How far ahead items are prefetched. Items that are not published yet are not prefetched,
    // since the other core is about to write to their lines.
    static constexpr uint32_t ahead = 16;
    static constexpr bool is_fixed = capacity != given_at_start;

    [[nodiscard]] uint32_t mask() const { return is_fixed ? capacity - 1 : mask_; }
    [[nodiscard]] uint32_t places() const { return mask() + 1; }

    alignas(64) std::conditional_t<is_fixed, std::array<Item, capacity>, HotVector<Item>> ring_;
    uint32_t mask_ = 0;  // capacity less 1 with `given_at_start`
    // Written by the producer: the number of items that it has staged, and the number of items that
    // it knows to be taken.
    alignas(64) uint32_t staged_ = 0;
    uint32_t taken_ = 0;
    alignas(64) std::atomic<uint32_t> tail_{0};
    alignas(64) std::atomic<uint32_t> head_{0};
};

}  // namespace sluice
