// ResequenceBuffer: frames that a link with retry has received and that may not enter the switch
// yet: those behind a gap (`keep`), by number, and, once the gap is filled, those that wait for the
// switch to have room for their priority (`wait`), in order within each lane.
//
// They are the caller's buffers, not copies, so a short frame counts as `least` octets, of which
// the pool of buffers is sized (`most_frames`). Whoever removes frames frees their buffers:
// `take_unwanted` has those whose session is over.
// Bound: O(1) a call, but for `forget`, O(window); its memory is taken by the constructor.
// Not done here: which number is the next (retry_receiver.h), and which priority has room.
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

    // 0: it keeps none.
    explicit ResequenceBuffer(Bytes size)
        : size_(size), nodes_(most_frames(size)), by_number_(window_of(size), none) {
        for (uint32_t n = 0; n < nodes_.size(); ++n) append(free_, n);
    }

    // How far ahead of the next frame numbers may be.
    [[nodiscard]] uint32_t window() const { return static_cast<uint32_t>(by_number_.size()); }
    [[nodiscard]] bool has_room(std::size_t length) const {
        return used_ + charge(length) <= size_;
    }
    // Behind a gap, where there is room. Of a number that is not kept.
    void keep(RetrySequence number, const Frame& frame, uint8_t lane) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept == none);
        kept = fill(frame, lane);
        ++kept_;
    }
    // Its gap is filled: it waits behind those of its lane that do.
    Bytes wait(RetrySequence number) {
        uint32_t& kept = by_number_[place(number)];
        assert(kept != none);
        const uint32_t node = kept;
        kept = none;
        --kept_;
        add_to_lane(node);
        return nodes_[node].frame.size();
    }
    // The next, where others of its lane wait, and there is room.
    void wait(const Frame& frame, uint8_t lane) { add_to_lane(fill(frame, lane)); }
    [[nodiscard]] bool has_waiting(uint8_t lane) const { return lanes_[lane].first != none; }
    [[nodiscard]] bool has_waiting() const { return waiting_ > 0; }
    // The next one of a lane that is not `held`.
    std::optional<Frame> take(ReplayQueue::Lanes held) {
        if (waiting_ == 0) return std::nullopt;
        for (uint8_t lane = ReplayQueue::lanes; lane-- > 0;) {
            if ((held & 1U << lane) != 0 || !has_waiting(lane)) continue;
            --waiting_;
            return empty(remove_first(lanes_[lane]));
        }
        return std::nullopt;
    }
    // None behind a gap is wanted any more: their session is over.
    void forget() {
        if (kept_ == 0) return;
        for (uint32_t& kept : by_number_) {
            if (kept != none) append(unwanted_, kept);
            kept = none;
        }
        kept_ = 0;
    }
    // Nor those that wait.
    void forget_all() {
        forget();
        for (List& lane : lanes_) {
            while (lane.first != none) append(unwanted_, remove_first(lane));
        }
        waiting_ = 0;
    }
    // Whose buffer is to be freed.
    std::optional<Frame> take_unwanted() {
        if (unwanted_.first == none) return std::nullopt;
        return empty(remove_first(unwanted_));
    }

    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    [[nodiscard]] Bytes used() const { return used_; }
    [[nodiscard]] Bytes most_used() const { return most_used_; }
    void clear_watermark() { most_used_ = used_; }

  private:
    static constexpr uint32_t none = UINT32_MAX;
    struct Node {
        Frame frame;
        uint32_t next;
        uint8_t lane;
    };
    struct List {
        uint32_t first = none;
        uint32_t last = none;
    };

    // As many numbers as the shortest frames that the peer's replay buffer may hold.
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
    uint32_t fill(const Frame& frame, uint8_t lane) {
        assert(has_room(frame.length));
        const uint32_t node = remove_first(free_);
        nodes_[node].frame = frame;
        nodes_[node].lane = lane;
        used_ += charge(frame.length);
        most_used_ = std::max(most_used_, used_);
        return node;
    }
    Frame empty(uint32_t node) {
        used_ -= charge(nodes_[node].frame.length);
        append(free_, node);
        return nodes_[node].frame;
    }
    void add_to_lane(uint32_t node) {
        append(lanes_[nodes_[node].lane], node);
        ++waiting_;
    }

    const Bytes size_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> by_number_;  // modulo its size
    List free_;
    List unwanted_;
    std::array<List, ReplayQueue::lanes> lanes_;
    std::size_t kept_ = 0;
    std::size_t waiting_ = 0;
    Bytes used_;
    Bytes most_used_;
};

// That a switch may hold behind gaps.
inline std::size_t most_frames_behind_gaps(const Settings& settings) {
    std::size_t frames = 0;
    for (const PortSettings& port : settings.ports) {
        if (port.retry.is_on) frames += ResequenceBuffer::most_frames(port.retry.resequence);
    }
    return frames;
}

}  // namespace sluice
