// ResequenceBuffer: holds frames that a link with retry received and that may not enter the switch
// yet. `keep` stores a frame after a gap, by number. `wait` queues a frame that has no gap before
// it, until the switch has room for its priority; such frames enter in the order of their numbers.
//
// A priority without room does not delay other priorities. A credit update has no priority, and
// counts the frames before it: it overtakes no frame, and no frame overtakes it.
// Frames stay in the caller's buffers and are not copied. The pool of buffers is sized by
// `most_frames`, so a frame shorter than `least` is charged as `least` octets. The caller frees the
// buffers of frames that it takes; `take_unwanted` returns those of ended sessions.
// Bound: O(1) a call, except `forget`, O(window); the constructor allocates all memory.
// Not here: which number is expected (retry_receiver.h), and which priority has room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/retry/replay_queue.h"
#include "dataplane/retry/retry_sequence.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class ResequenceBuffer {
  public:
    static constexpr Bytes least{256};
    static constexpr std::size_t most_frames(Bytes size) {
        return static_cast<std::size_t>(size.count() / least.count());
    }

    // `size` 0: keeps no frames.
    explicit ResequenceBuffer(Bytes size)
        : size_(size), nodes_(most_frames(size)), by_number_(window_of(size), none) {
        for (uint32_t n = 0; n < nodes_.size(); ++n) append(free_, n);
    }

    // Returns the window. A frame may be kept if its number is ahead of the expected number by less
    // than the window.
    [[nodiscard]] uint32_t window() const { return static_cast<uint32_t>(by_number_.size()); }
    [[nodiscard]] bool has_room(std::size_t length) const {
        return used_ + charge(length) <= size_;
    }
    // Keeps a frame after a gap. Requires room, and that no kept frame has the same number.
    void keep(RetrySequence number, const Frame& frame, uint8_t traffic_class) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept == none);
        kept = fill(frame, traffic_class);
        ++kept_;
    }
    // Queues a kept frame whose gap is filled, after other frames of its traffic class. Returns its
    // length.
    Bytes wait(RetrySequence number) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept != none);
        const uint32_t node = kept;
        kept = none;
        assert(kept_ > 0);
        --kept_;
        add_to_class(node);
        return nodes_[node].frame.size();
    }
    // Queues the expected frame, after other frames of its traffic class. Requires room for it.
    void wait(const Frame& frame, uint8_t traffic_class) {
        add_to_class(fill(frame, traffic_class));
    }
    // Whether a frame of that traffic class would overtake queued frames if it entered now.
    [[nodiscard]] bool must_wait(uint8_t traffic_class) const {
        if (traffic_class == ReplayQueue::never_paused) return waiting_ > 0;
        return has_waiting(traffic_class) || has_waiting(ReplayQueue::never_paused);
    }
    [[nodiscard]] bool has_waiting() const { return waiting_ > 0; }
    // Removes and returns the next queued frame whose traffic class is not `held`.
    std::optional<Frame> take(ReplayQueue::Classes held) {
        if (waiting_ == 0) return std::nullopt;
        uint64_t oldest = UINT64_MAX;  // turn of the oldest frame of all classes
        uint64_t next = UINT64_MAX;    // turn of the oldest frame of classes that are not held
        uint8_t from = 0;
        for (uint8_t traffic_class = 0; traffic_class < ReplayQueue::classes; ++traffic_class) {
            if (!has_waiting(traffic_class)) continue;
            const uint64_t turn = nodes_[classes_[traffic_class].first].turn;
            oldest = std::min(oldest, turn);
            if ((held & 1U << traffic_class) != 0 || turn > next) continue;
            next = turn;
            from = traffic_class;
        }
        const bool may_go = from != ReplayQueue::never_paused || next == oldest;
        if (next == UINT64_MAX || !may_go) return std::nullopt;
        assert(waiting_ > 0);
        --waiting_;
        return empty(remove_first(classes_[from]));
    }
    // Makes frames after a gap unwanted, since their session ended.
    void forget() {
        if (kept_ == 0) return;
        for (uint32_t& kept : by_number_) {
            if (kept != none) append(unwanted_, kept);
            kept = none;
        }
        kept_ = 0;
    }
    // Makes all frames unwanted: those after a gap, and those that are queued.
    void forget_all() {
        forget();
        for (List& traffic_class : classes_) {
            while (traffic_class.first != none) append(unwanted_, remove_first(traffic_class));
        }
        waiting_ = 0;
    }
    // Removes and returns an unwanted frame; the caller frees its buffer.
    std::optional<Frame> take_unwanted() {
        if (unwanted_.first == none) return std::nullopt;
        return empty(remove_first(unwanted_));
    }

    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    [[nodiscard]] Bytes used() const { return used_; }
    [[nodiscard]] Bytes most_used() const { return most_used_; }
    void clear_watermark() { most_used_ = used_; }

  private:
    [[nodiscard]] bool has_waiting(uint8_t traffic_class) const {
        return classes_[traffic_class].first != none;
    }
    static constexpr uint32_t none = UINT32_MAX;
    struct Node {
        Frame frame;
        uint64_t turn;
        uint32_t next;
        uint8_t traffic_class;
    };
    struct List {
        uint32_t first = none;
        uint32_t last = none;
    };

    // Returns the window: 0 if `size` holds no frame, else a power of two that exceeds the number
    // of the shortest Ethernet frames in a replay buffer of `size`.
    static std::size_t window_of(Bytes size) {
        if (most_frames(size) == 0) return 0;
        const std::size_t shortest = static_cast<std::size_t>(size.count() / 32);
        return std::min<std::size_t>(std::bit_floor(shortest), RetrySequence::most_waiting / 2);
    }
    static Bytes charge(std::size_t length) {
        return std::max(Bytes(static_cast<int64_t>(length)), least);
    }
    [[nodiscard]] std::size_t place(RetrySequence number) const {
        return number.number() & (by_number_.size() - 1);
    }
    void append(List& list, uint32_t node) {
        nodes_[node].next = none;
        (list.first == none ? list.first : nodes_[list.last].next) = node;
        list.last = node;
    }
    uint32_t remove_first(List& list) {
        assert(list.first != none);
        const uint32_t node = list.first;
        list.first = nodes_[node].next;
        return node;
    }
    uint32_t fill(const Frame& frame, uint8_t traffic_class) {
        assert(has_room(frame.length));
        const uint32_t node = remove_first(free_);
        nodes_[node].frame = frame;
        nodes_[node].traffic_class = traffic_class;
        used_ += charge(frame.length);
        most_used_ = std::max(most_used_, used_);
        return node;
    }
    Frame empty(uint32_t node) {
        used_ -= charge(nodes_[node].frame.length);
        assert(used_ >= Bytes(0));
        append(free_, node);
        return nodes_[node].frame;
    }
    void add_to_class(uint32_t node) {
        nodes_[node].turn = turn_++;
        append(classes_[nodes_[node].traffic_class], node);
        ++waiting_;
    }

    const Bytes size_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> by_number_;  // node of each kept frame, indexed by number modulo size
    List free_;
    List unwanted_;
    std::array<List, ReplayQueue::classes> classes_;
    std::size_t kept_ = 0;
    std::size_t waiting_ = 0;
    uint64_t turn_ = 0;  // turn of the next frame that is queued
    Bytes used_;
    Bytes most_used_;
};

// Returns the number of frames that the resequence buffer of a port may hold.
inline std::size_t frames_behind_gaps(const RetrySettings& retry) {
    return retry.is_on ? ResequenceBuffer::most_frames(retry.resequence) : 0;
}

}  // namespace sluice
