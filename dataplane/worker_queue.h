// WorkerQueue: a lock-free queue of items from one worker to another (single producer, single
// consumer), in order.
// Bound: `capacity` items, a power of two; an item that finds no place is refused. Staged items
// become visible together when they are published, so a burst costs the other core one cache miss
// of the index.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace sluice {

template <class Item, uint32_t capacity = 1024>
class WorkerQueue {
  public:
    static_assert((capacity & (capacity - 1)) == 0, "positions wrap by mask");

    // --- by the one that pushes -----------------------------------------------------------------
    bool push(const Item& item) {
        const bool has_place = stage(item);
        publish();
        return has_place;
    }
    bool stage(const Item& item) {
        if (seems_full() && not_taken() == capacity) return false;
        next_place() = item;
        return true;
    }
    // The place of one more, for which there is room; it is staged with this, and to be written
    // before it is published. An item of several parts is put together there: one that was copied
    // from elsewhere would wait until all its parts were stored there, behind each store that waits
    // for the other core.
    [[nodiscard]] Item& next_place() {
        assert(!seems_full());
        return ring_[staged_++ % capacity];
    }
    // Whether there is none, as far as it is known what the other has taken.
    [[nodiscard]] bool seems_full() const { return staged_ - taken_ == capacity; }
    // Whether so many more can be staged.
    bool has_room(uint32_t items) {
        return capacity - (staged_ - taken_) >= items || capacity - not_taken() >= items;
    }
    // The last of those that are staged and not published were never there.
    void withdraw(uint32_t items) { staged_ -= items; }
    void publish() { tail_.store(staged_, std::memory_order_release); }
    // Of those staged or pushed, how many the other has not taken yet. What it wrote before it took
    // the others can be read from now on.
    std::size_t not_taken() {
        forget_taken([](const Item&) {});
        return staged_ - taken_;
    }
    // Likewise, and visits those that the other has taken since, in order. It is for one who uses
    // `next_place` alone: all other calls forget what was taken without a visit.
    template <class Visit>
    void forget_taken(Visit visit) {
        const uint32_t head = head_.load(std::memory_order_acquire);
        for (; taken_ != head; ++taken_) visit(ring_[taken_ % capacity]);
    }

    // --- by the one that takes ------------------------------------------------------------------
    // All that is there by now. It counts as taken once all of it was visited, and `then` called.
    template <class Visit, class Then>
    void take(Visit visit, Then then) {
        const uint32_t tail = tail_.load(std::memory_order_acquire);
        uint32_t head = head_.load(std::memory_order_relaxed);
        if (head == tail) return;
        for (; head != tail; ++head) visit(ring_[head % capacity]);
        then();
        head_.store(head, std::memory_order_release);
    }
    template <class Visit>
    void take(Visit visit) {
        take(visit, [] {});
    }

    // --- by any thread --------------------------------------------------------------------------
    [[nodiscard]] bool empty() const {
        const uint32_t head = head_.load(std::memory_order_acquire);
        return head == tail_.load(std::memory_order_acquire);
    }

  private:
    alignas(64) std::array<Item, capacity> ring_;
    // By the one that pushes: how many it has staged, and knows to be taken.
    alignas(64) uint32_t staged_ = 0;
    uint32_t taken_ = 0;
    alignas(64) std::atomic<uint32_t> tail_{0};
    alignas(64) std::atomic<uint32_t> head_{0};
};

}  // namespace sluice
