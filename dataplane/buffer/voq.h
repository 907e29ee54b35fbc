// Voq: a virtual output queue, the frames of one (input, output, priority), first in, first out.
//
// Written by the input's worker alone; its counters may be read by anyone. `bytes` are the octets
// it is charged for, whole cells. Conservation: enqueued = dequeued + flushed + waiting.
// Bound: push and pop are O(1); a VOQ that is empty holds no chunk.
// Not done here: deciding whether a frame may enter (ingress/ingress.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "dataplane/buffer/frame_pool.h"
#include "dataplane/counters.h"
#include "dataplane/frame.h"
#include "dataplane/units.h"

namespace sluice {

class alignas(64) Voq {
  public:
    [[nodiscard]] bool empty() const { return head_chunk_ == FramePool::no_chunk; }
    [[nodiscard]] Bytes bytes() const { return Bytes(static_cast<int64_t>(bytes_.value())); }

    // The same, for whoever reads it where it stands.
    [[nodiscard]] const Counter& backlog() const { return bytes_; }

    // False: the pool has no chunk for it.
    bool push(const Frame& frame, Account account, Bytes charge, FramePool& pool) {
        if (empty()) {
            head_chunk_ = tail_chunk_ = pool.take();
            if (empty()) return false;
            head_ = tail_ = 0;
        } else if (tail_ == FramePool::frames_a_chunk) {
            const uint32_t chunk = pool.take();
            if (chunk == FramePool::no_chunk) return false;
            pool[tail_chunk_].next = chunk;
            tail_chunk_ = chunk;
            tail_ = 0;
        }
        Frame& place = pool[tail_chunk_].frames[tail_++];
        place = frame;
        place.account = account;
        enqueued_.add(1);
        bytes_.add(static_cast<uint64_t>(charge.count()));
        max_bytes_.raise_to(bytes_.value());
        return true;
    }

    // The oldest frames that lie side by side: at least one unless the queue is empty. They stay
    // readable until the next push to the pool.
    [[nodiscard]] std::span<const Frame> front(FramePool& pool) const {
        if (empty()) return {};
        const auto& frames = pool[head_chunk_].frames;
        const uint16_t end = head_chunk_ == tail_chunk_ ? tail_ : FramePool::frames_a_chunk;
        return std::span(frames).subspan(head_, static_cast<std::size_t>(end - head_));
    }

    // Takes the first `frames` of front(), charged `charge` in all, towards the fabric.
    void pop(std::size_t frames, Bytes charge, FramePool& pool) {
        advance(frames, charge, pool);
        dequeued_.add(frames);
    }
    // The same, to nowhere.
    void flush(std::size_t frames, Bytes charge, FramePool& pool) {
        advance(frames, charge, pool);
        flushed_.add(frames);
    }
    void count_dropped() { dropped_.add(1); }

    [[nodiscard]] uint64_t enqueued() const { return enqueued_.value(); }
    [[nodiscard]] uint64_t dequeued() const { return dequeued_.value(); }
    [[nodiscard]] uint64_t flushed() const { return flushed_.value(); }
    [[nodiscard]] uint64_t dropped() const { return dropped_.value(); }  // refused entry
    [[nodiscard]] uint64_t max_bytes() const { return max_bytes_.value(); }
    [[nodiscard]] uint64_t waiting() const {
        // Leaving is read first: a reader beside the writer sees too many waiting, never below 0.
        const uint64_t left = dequeued() + flushed();
        return enqueued() - left;
    }

  private:
    void advance(std::size_t frames, Bytes charge, FramePool& pool) {
        head_ = static_cast<uint16_t>(head_ + frames);
        bytes_.subtract(static_cast<uint64_t>(charge.count()));
        if (head_chunk_ == tail_chunk_) {
            if (head_ == tail_) {
                pool.give(head_chunk_);
                head_chunk_ = tail_chunk_ = FramePool::no_chunk;
            }
        } else if (head_ == FramePool::frames_a_chunk) {
            const uint32_t next = pool[head_chunk_].next;
            pool.give(head_chunk_);
            head_chunk_ = next;
            head_ = 0;
        }
    }

    uint32_t head_chunk_ = FramePool::no_chunk;
    uint32_t tail_chunk_ = FramePool::no_chunk;
    uint16_t head_ = 0;  // next to leave, in the head chunk
    uint16_t tail_ = 0;  // next free, in the tail chunk
    Counter enqueued_;
    Counter dequeued_;
    Counter flushed_;
    Counter dropped_;
    Counter bytes_;
    Counter max_bytes_;
};
static_assert(sizeof(Voq) == 64, "one cache line a VOQ");

}  // namespace sluice
