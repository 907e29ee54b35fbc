// Voq: a virtual output queue, the frames of one (input, output, priority), first in, first out.
//
// The first frame of an empty queue is kept in the queue's own cache line, later frames in chunks.
// In a switch of many ports a queue seldom has more than one frame, and such a frame touches only
// that line.
// Only the input's worker writes it; any thread may read its counters. `bytes` are the octets
// charged, in whole cells. Conservation: enqueued = left + waiting.
// Bound: push is O(1), take O(frames taken), take_copies O(frames waiting); a VOQ of fewer than two
// frames needs no chunk.
// Not done here: deciding whether a frame may enter, and counting where frames are sent
// (ingress/ingress.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>

#include "dataplane/buffer/frame_pool.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/units.h"

namespace sluice {

class alignas(64) Voq {
  public:
    [[nodiscard]] bool empty() const { return !has_first_ && !has_chunk(); }
    [[nodiscard]] Bytes bytes() const { return Bytes(static_cast<int64_t>(bytes_.value())); }

    // Returns the counter itself, as matchers keep its address (fabric/matching.h, Backlogs).
    [[nodiscard]] const Counter& backlog() const { return bytes_; }

    // Returns false if the pool has no chunk for the frame.
    bool push(const Frame& frame, Account account, Bytes charge, FramePool& pool) {
        assert(charge.count() >= 0 && frame.priority < max_priorities);
        Frame* const place = empty() ? first_place() : next_place(pool);
        if (place == nullptr) [[unlikely]]
            return false;
        *place = frame;
        place->account = account;
        pool.count_in();
        enqueued_.add(1);
        bytes_.add(static_cast<uint64_t>(charge.count()));
        return true;
    }

    // Moves the oldest frames to `out`, until `out` is full, the moved frames have `quantum` octets
    // or more, or the queue is empty. The frames stay charged until `discharge`.
    std::size_t take(std::span<Frame> out, Bytes quantum, FramePool& pool) {
        std::size_t taken = 0;
        Bytes octets;
        if (has_first_ && !out.empty()) {
            octets = first_.size();
            out[taken++] = first_;
            has_first_ = false;
        }
        while (has_chunk() && taken < out.size() && octets < quantum) {
            const auto& frames = pool[head_chunk()].frames;
            const uint8_t end =
                behind_head_chunk_ == behind_tail_chunk_ ? tail_ : FramePool::frames_a_chunk;
            while (head_ < end && taken < out.size() && octets < quantum) {
                octets += frames[head_].size();
                out[taken++] = frames[head_++];
            }
            if (head_ == end) leave_chunk(pool);
        }
        left_.add(taken);
        pool.count_out(taken);
        assert(counts_agree());
        return taken;
    }
    // Moves the oldest frames that other outputs share to `out`, from any position in the queue,
    // until `out` is full. The other frames keep their order.
    std::size_t take_copies(std::span<Frame> out, FramePool& pool) {
        std::size_t taken = 0;
        if (has_first_ && first_.is_shared() && !out.empty()) {
            out[taken++] = first_;
            has_first_ = false;
        }
        if (has_chunk()) taken += take_copies_of_chunks(out.subspan(taken), pool);
        left_.add(taken);
        pool.count_out(taken);
        assert(counts_agree());
        return taken;
    }
    // Returns whether one `take` with these limits would empty the queue.
    [[nodiscard]] bool is_within(std::size_t frames, Bytes octets, const FramePool& pool) const {
        std::size_t left = waiting();
        if (left > frames) return false;
        if (bytes() <= octets) return true;
        if (has_first_) {
            octets -= first_.size();
            --left;
        }
        uint32_t chunk = head_chunk();
        for (std::size_t at = head_; left > 0 && octets.count() >= 0; ++at, --left) {
            if (at == FramePool::frames_a_chunk) {
                chunk = pool.next(chunk);
                at = 0;
            }
            octets -= pool[chunk].frames[at].size();
        }
        return octets.count() >= 0;
    }
    void discharge(Bytes charge) {
        peak_.raise_to(in_32_bits(bytes_.value()));
        bytes_.subtract(static_cast<uint64_t>(charge.count()));
    }

    [[nodiscard]] uint64_t enqueued() const { return enqueued_.value(); }
    [[nodiscard]] uint64_t left() const { return left_.value(); }
    // Returns the high-water mark, which stops at 4 GiB.
    [[nodiscard]] uint64_t max_bytes() const {
        const uint32_t now = in_32_bits(bytes_.value());  // read first, as in Gauge
        return std::max(now, peak_.value());
    }
    void clear_watermark() { peak_.set(0); }
    [[nodiscard]] uint64_t waiting() const {
        // `left` is read first: a reader in another thread may get too many waiting frames, but
        // never fewer than 0.
        const uint64_t gone = left();
        return enqueued() - gone;
    }

  private:
    // Whether the counters agree. Called by the VOQ's worker.
    [[nodiscard]] bool counts_agree() const { return empty() == (waiting() == 0); }
    static uint32_t in_32_bits(uint64_t bytes) {
        constexpr uint64_t most = std::numeric_limits<uint32_t>::max();
        return static_cast<uint32_t>(std::min(bytes, most));
    }
    Frame* first_place() {
        has_first_ = true;
        return &first_;
    }
    // Returns null if there is no chunk left.
    Frame* next_place(FramePool& pool) {
        if (!has_chunk()) {
            const uint32_t chunk = pool.take();
            if (chunk == FramePool::no_chunk) return nullptr;
            behind_head_chunk_ = behind_tail_chunk_ = chunk + 1;
            head_ = tail_ = 0;
        } else if (tail_ == FramePool::frames_a_chunk) {
            const uint32_t chunk = pool.take();
            if (chunk == FramePool::no_chunk) return nullptr;
            pool.link(tail_chunk(), chunk);
            behind_tail_chunk_ = chunk + 1;
            tail_ = 0;
        }
        assert(tail_ < FramePool::frames_a_chunk);
        return &pool[tail_chunk()].frames[tail_++];
    }
    void leave_chunk(FramePool& pool) {
        assert(has_chunk());
        const bool last = behind_head_chunk_ == behind_tail_chunk_;
        const uint32_t behind_next = last ? 0 : pool.next(head_chunk()) + 1;
        pool.give(head_chunk());
        behind_head_chunk_ = behind_next;
        head_ = 0;
    }
    // Moves frames that stay into the places of frames that were taken.
    std::size_t take_copies_of_chunks(std::span<Frame> out, FramePool& pool) {
        const uint32_t last = tail_chunk();
        uint32_t to_chunk = head_chunk();
        uint8_t to = head_;
        bool stays = false;
        std::size_t taken = 0;
        uint8_t at = head_;
        for (uint32_t chunk = head_chunk();; chunk = pool.next(chunk), at = 0) {
            const uint8_t end = chunk == last ? tail_ : FramePool::frames_a_chunk;
            for (; at < end; ++at) {
                const Frame& frame = pool[chunk].frames[at];
                if (frame.is_shared() && taken < out.size()) {
                    out[taken++] = frame;
                    continue;
                }
                if (to == FramePool::frames_a_chunk) {
                    to_chunk = pool.next(to_chunk);
                    to = 0;
                }
                pool[to_chunk].frames[to++] = frame;
                stays = true;
            }
            if (chunk == last) break;
        }
        while (to_chunk != tail_chunk()) give_back_behind(to_chunk, pool);
        tail_ = to;
        if (!stays) leave_chunk(pool);
        return taken;
    }
    // Returns the chunk after `chunk` to the pool. `chunk` is not the last.
    void give_back_behind(uint32_t chunk, FramePool& pool) {
        assert(chunk != tail_chunk());
        const uint32_t gone = pool.next(chunk);
        if (gone == tail_chunk()) {
            behind_tail_chunk_ = chunk + 1;
        } else {
            pool.link(chunk, pool.next(gone));
        }
        pool.give(gone);
    }
    [[nodiscard]] bool has_chunk() const { return behind_head_chunk_ != 0; }
    [[nodiscard]] uint32_t head_chunk() const { return behind_head_chunk_ - 1; }
    [[nodiscard]] uint32_t tail_chunk() const { return behind_tail_chunk_ - 1; }

    Frame first_;  // if `has_first_`: older than the frames in chunks
    Counter enqueued_;
    Counter left_;
    Counter bytes_;
    CounterOf<uint32_t> peak_;  // high-water mark of `bytes_` when it last fell
    // Numbers of the chunks plus 1; 0: no chunk. So a VOQ that was never used is all zeros.
    uint32_t behind_head_chunk_ = 0;
    uint32_t behind_tail_chunk_ = 0;
    uint8_t head_ = 0;  // position of the next frame to take in the head chunk
    uint8_t tail_ = 0;  // position of the next free place in the tail chunk
    bool has_first_ = false;
};
static_assert(sizeof(Voq) == 64, "one cache line a VOQ");

}  // namespace sluice
