// WorkerQueue: what one worker tells worker 0, in order.
// Bound: `capacity` items; what finds no place is refused. One thread pushes, one takes; no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sluice {

template <class Item, uint32_t capacity = 1024>
class alignas(64) WorkerQueue {
  public:
    bool push(const Item& item) {
        const uint32_t at = tail_.load(std::memory_order_relaxed);
        if (at - head_.load(std::memory_order_acquire) == capacity) return false;
        ring_[at % capacity] = item;
        tail_.store(at + 1, std::memory_order_release);
        return true;
    }
    // All that is there by now.
    template <class Visit>
    void take(Visit visit) {
        const uint32_t tail = tail_.load(std::memory_order_acquire);
        uint32_t head = head_.load(std::memory_order_relaxed);
        for (; head != tail; ++head) visit(ring_[head % capacity]);
        head_.store(head, std::memory_order_release);
    }

  private:
    std::array<Item, capacity> ring_;
    std::atomic<uint32_t> tail_{0};
    alignas(64) std::atomic<uint32_t> head_{0};
};

}  // namespace sluice
