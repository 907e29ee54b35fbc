// EgressQueue: holds the few frames of one (output, priority) that crossed the fabric or bypassed
// it.
//
// The queue accepts a grant only while it holds less than a quantum of octets and less than one
// transfer of frames. It accepts bypassing frames only while a grant that is under way still fits.
// So it holds at most two quanta and one frame, and at most its capacity of frames. Octets are not
// counted for a priority that flows (egress.h). Further places of the ring are for frames that
// other workers hand over (handoff.h). The queue accepts handed-over frames while all of its frames
// are less than a quantum of octets, and no more than a transfer. So they are at most one quantum
// for each worker, and use none of the room for grants. Frames that the device refused return to
// the head.
// Bound: every call is O(frames moved). Only its worker uses it.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "dataplane/fabric/crossbar.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/units.h"

namespace sluice {

class alignas(64) EgressQueue {
  public:
    static constexpr std::size_t capacity = 2 * max_transfer;

    // Allocates the ring. Call once, before any other call.
    void reserve(uint8_t workers) { ring_.reserve(std::bit_ceil(most_frames(workers))); }

    // The most frames that the queue may hold.
    static constexpr std::size_t most_frames(uint8_t workers) {
        return capacity + most_beside_shares(workers) + most_under_way(workers);
    }
    // The most frames that all queues of an output hold, with the frames under way to them.
    static constexpr std::size_t most_frames_of_output(uint8_t workers) {
        return max_priorities * (capacity + most_beside_shares(workers)) + most_under_way(workers);
    }

    // How full the queue is.
    struct Level {
        Bytes bytes;
        std::size_t frames = 0;

        [[nodiscard]] Level with(const Frame& frame) const {
            return {bytes + frame.size(), frames + 1};
        }
        [[nodiscard]] bool has_room_for_handoff(Bytes quantum) const {
            return bytes < quantum && frames <= max_transfer;
        }
    };

    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Level level() const { return {bytes(), size()}; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(waiting()); }
    [[nodiscard]] Bytes bytes() const { return Bytes(static_cast<int64_t>(bytes_.value())); }
    [[nodiscard]] uint64_t waiting() const { return frames_.value(); }  // for any thread
    // Returns the frames ever removed and not put back, modulo 2^32.
    [[nodiscard]] uint32_t taken() const { return taken_; }
    [[nodiscard]] bool has_room(Bytes quantum) const {
        return bytes() - handed_over_bytes_ < quantum &&
               size() - handed_over_ <= capacity - max_transfer;
    }

    // Sets the level below which a bypassing frame needs no other check, if the queue holds at most
    // a transfer of frames.
    void set_fast_limit(Bytes octets) {
        fast_limit_ = static_cast<uint32_t>(std::clamp<int64_t>(octets.count(), 0, UINT32_MAX));
    }
    [[nodiscard]] bool is_below_fast_limit(const Level& filled) const {
        return filled.bytes.count() < int64_t{fast_limit_} && filled.frames <= max_transfer;
    }
    // Adds frames. Requires room for all of them.
    void push(std::span<const Frame> frames) {
        const std::span<Frame> ring = ring_.places();
        assert(size() + frames.size() <= ring.size());
        const std::size_t from = place_behind(size());
        const std::size_t before_end = std::min(frames.size(), ring.size() - from);
        std::ranges::copy(frames.first(before_end), ring.subspan(from).begin());
        std::ranges::copy(frames.subspan(before_end), ring.begin());
        count(frames.size(), octets_of(frames));
    }
    // Adds a frame that bypassed the VOQs. Requires room for it. `filled`: the level with that
    // frame.
    void push_bypassing(const Frame& frame, const Level& filled) {
        push(frame, Account::bypassing, filled);
    }
    // Adds a frame from another worker, which checked for room.
    void push_handed_over(const Frame& frame, const Level& filled) {
        push(frame, Account::handed_over, filled);
        count_handed_over(frame);
    }
    // Returns the oldest frame. Requires that the queue is not empty.
    [[nodiscard]] const Frame& front() const {
        assert(!empty());
        return ring_.places()[place(head_)];
    }

    Frame pop() {
        assert(!empty());
        const Frame frame = ring_.places()[place(head_++)];
        ++taken_;
        uncount(1, frame.size());
        uncount_handed_over(frame);
        return frame;
    }
    // Removes as many frames as `out` has room for, in order.
    std::size_t pop(std::span<Frame> out) {
        const auto taken = out.first(std::min(out.size(), size()));
        const std::span<const Frame> from = ring_.places();
        const std::size_t before_end = std::min(taken.size(), from.size() - place(head_));
        std::ranges::copy(from.subspan(place(head_), before_end), taken.begin());
        std::ranges::copy(from.first(taken.size() - before_end), taken.subspan(before_end).begin());
        head_ += static_cast<uint32_t>(taken.size());
        taken_ += static_cast<uint32_t>(taken.size());
        uncount(taken.size(), octets_of(taken));
        if (handed_over_ != 0) {
            for (const Frame& frame : taken) uncount_handed_over(frame);
        }
        return taken.size();
    }
    // Undoes the last pop of `frame`, with no push in between.
    void unpop(const Frame& frame) {
        assert(size() < ring_.places().size());
        ring_.places()[place(--head_)] = frame;
        --taken_;
        count(1, frame.size());
        if (frame.account == Account::handed_over) count_handed_over(frame);
    }

  private:
    void push(const Frame& frame, Account account, const Level& filled) {
        assert(filled.frames == size() + 1 && filled.frames <= ring_.places().size());
        Frame& last = ring_.places()[place_behind(filled.frames - 1)];
        last = frame;
        last.account = account;
        frames_.set(filled.frames);
        bytes_.set(static_cast<uint64_t>(filled.bytes.count()));
    }
    // Returns the place after `waiting` frames. An empty queue begins at the start of its ring
    // again, so that a shallow queue stays in the cache.
    std::size_t place_behind(std::size_t waiting) {
        if (waiting == 0) head_ = 0;
        return place(head_ + waiting);
    }
    [[nodiscard]] std::size_t place(std::size_t position) const {
        return position & (ring_.places().size() - 1);
    }
    // Return the places for frames that other workers hand over: those that the limit allows, and
    // those for frames that are still under way.
    static constexpr std::size_t most_beside_shares(uint8_t workers) {
        return workers > 1 ? max_transfer : 0;
    }
    static constexpr std::size_t most_under_way(uint8_t workers) {
        return workers > 1 ? share_of_handoff(workers) * (workers - 1U) : 0;
    }

    static Bytes octets_of(std::span<const Frame> frames) {
        Bytes sum;
        for (const Frame& frame : frames) sum += frame.size();
        return sum;
    }
    void count(std::size_t frames, Bytes added) {
        frames_.add(frames);
        bytes_.add(static_cast<uint64_t>(added.count()));
    }
    void uncount(std::size_t frames, Bytes removed) {
        frames_.subtract(frames);
        bytes_.subtract(static_cast<uint64_t>(removed.count()));
        assert(!empty() || bytes_.value() == 0);
    }

    void count_handed_over(const Frame& frame) {
        ++handed_over_;
        handed_over_bytes_ += frame.size();
    }
    void uncount_handed_over(const Frame& frame) {
        if (frame.account != Account::handed_over) return;
        assert(handed_over_ > 0 && handed_over_bytes_ >= frame.size());
        --handed_over_;
        handed_over_bytes_ -= frame.size();
    }

    // These members share one cache line.
    uint32_t head_ = 0;
    uint32_t taken_ = 0;
    uint32_t fast_limit_ = 0;
    uint32_t handed_over_ = 0;  // frames in the queue that other workers handed over
    Counter frames_;
    Counter bytes_;
    Bytes handed_over_bytes_;
    HotRoom<Frame> ring_;
};

}  // namespace sluice
