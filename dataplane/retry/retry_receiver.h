// RetryReceiver: the receiving end of a link with retry. Decides which frames are accepted, kept
// until a gap before them is filled, or dropped, and which answers are sent.
//
// States and their names are those of SAI's and UEC's LLR:
//   off        no frame is accepted
//   send_acks  no frame is missing
//   send_nack  a frame is missing or damaged, and a NACK is due
//   nack_sent  the NACK was sent; the next is due when another frame is missing
// A gap in the order of transmissions (RetryOrder) is a loss on the wire. With a `window`, frames
// after a gap are kept, and only lost transmissions are requested: by a NACK, and by two later
// answers, `nack_delay` apart, as answers may be lost (gap_report.h). Frames that find no room are
// requested `room_delay` later; without that delay the link would carry them again and again.
// Without a window, frames after a gap are dropped, and the sender goes back to the gap
// (go-back-N). A NACK is then due for each gap, for a frame after a dropped one, and again after
// `nack_delay` while such frames are received.
// Frames are accepted in the order of their numbers, each once. An ACK is cumulative. It is due
// when `ack_octets` were received since the last answer, when the first of them is `ack_delay` old,
// and at once for a duplicate, as its ACK may be lost: without an answer its sender would resend it
// forever.
// The last 16 sessions that ended cannot begin again: a request for one of them is late, and its
// frames would be accepted twice. The 16 session numbers before the newest cannot begin either,
// even if they never opened: a sender counts its sessions up, so a request for one of them is late.
// Bound: a bit for each number of the window; a call costs O(1), the end of a session O(window).
// Not here: the kept frames (resequence_buffer.h), and sending answers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/retry/gap_report.h"
#include "dataplane/retry/retry_answer.h"
#include "dataplane/types/units.h"

namespace sluice {

struct RetryReceiverSettings {
    Bytes ack_octets{2048};  // 0: an ACK for each frame
    Nanos ack_delay{10'000};
    Nanos nack_delay{0};  // 0: without a window a NACK is not repeated
    Nanos room_delay{0};
    uint32_t window = 0;  // numbers that may be kept from a gap on; a power of two; 0: keeps none
};

class RetryReceiver {
  public:
    enum class State : uint8_t { off, send_acks, send_nack, nack_sent };
    enum class Verdict : uint8_t {
        take,       // the expected frame
        keep,       // a frame after a gap; the caller keeps it until `next_kept` accepts it
        duplicate,  // a frame received before
        missing,    // a frame after a gap, or without room; the caller drops it
        other,      // a frame of another session, or received before a session began
    };
    struct Arrival {
        RetrySequence number;
        uint32_t order = 0;
        Bytes octets;
        bool may_take = true;   // whether there is room for the frame if it is the expected one
        bool may_keep = false;  // whether there is room for the frame if it is after a gap
    };
    struct Counts {
        uint64_t taken = 0;
        uint64_t kept = 0;  // frames kept after a gap
        uint64_t duplicates = 0;
        uint64_t missing = 0;  // frames dropped after a gap or for want of room
        uint64_t damaged = 0;
        uint64_t acks = 0;
        uint64_t nacks = 0;
    };

    explicit RetryReceiver(const RetryReceiverSettings& settings)
        : settings_(settings),
          gaps_(tellings, settings.nack_delay),
          dropped_(1, Nanos(0)),
          is_kept_(settings.window) {
        assert(settings.window == 0 || std::has_single_bit(settings.window));
        assert(settings.window < RetrySequence::most_waiting);
    }

    // Processes a request to begin `session`: ends the session before and begins this one, or
    // repeats the ACK if `session` is the present one. Returns false if the session ended before:
    // the request is late, or its sender has to choose another number.
    bool begin(uint32_t session) {
        if (state_ == State::off || session != session_) {
            if (was_before(session)) return false;
            end();
            session_ = session;
            has_begun_ = true;
            expected_ = RetrySequence();
            next_order_ = 0;
            state_ = State::send_acks;
        }
        ack_due_ = true;  // opens the session at the sender
        return true;
    }
    // Ends the session. The caller drops the frames after a gap that the caller keeps.
    void end() {
        if (state_ != State::off) over_[next_over_++ % over_.size()] = session_;
        state_ = State::off;
        is_answered();  // no answer is due
        gaps_.clear();
        dropped_.clear();
        if (kept_ > 0) is_kept_.assign(is_kept_.size(), false);
        kept_ = 0;
    }

    Verdict arrived(uint32_t session, const Arrival& arrival, Nanos now) {
        if (state_ == State::off || session != session_) return Verdict::other;
        const bool has_gap = note_order(arrival.order);
        if (arrival.number == expected_ && arrival.may_take) {
            take(arrival.octets, now);
            return Verdict::take;
        }
        const uint32_t ahead = arrival.number.since(expected_);
        if (arrival.number.is_before(expected_) || is_kept(ahead)) {
            ++counts_.duplicates;
            ack_due_ = true;
            return Verdict::duplicate;
        }
        if (ahead > 0 && ahead < settings_.window && arrival.may_keep) {
            is_kept_[place(arrival.number)] = true;
            ++kept_;
            ++counts_.kept;
            owe(arrival.octets, now);  // so that an ACK names the gaps if the NACK was lost
            return Verdict::keep;
        }
        ++counts_.missing;
        has_dropped(arrival.order, has_gap, now);
        return Verdict::missing;
    }
    // Accepts the expected frame, of `octets`, if that frame is kept; returns false if it is not.
    // Called after each `take`, again and again until it returns false.
    bool next_kept(Bytes octets, Nanos now) {
        if (!has_next_kept()) return false;
        assert(kept_ > 0);
        is_kept_[place(expected_)] = false;
        --kept_;
        take(octets, now);
        return true;
    }
    [[nodiscard]] bool has_next_kept() const { return kept_ > 0 && is_kept_[place(expected_)]; }
    // Counts a damaged frame, whose number cannot be trusted. The frame counts as the next
    // transmission, as the wire keeps transmissions in order.
    void damaged() {
        if (state_ == State::off) return;
        ++counts_.damaged;
        misses(next_order_++, 1);
    }

    // Returns the answer that is due, if any, and counts it as sent.
    std::optional<RetryAnswer> answer(Nanos now) {
        if (state_ == State::off) return std::nullopt;
        if (!dropped_.is_empty() && now - asked_for_room_ >= settings_.room_delay) {
            asked_for_room_ = now;
            const RetryRuns runs = dropped_.tell(now);
            for (const RetryRun& run : runs.all()) misses(run.first, run.count);
        }
        if (state_ == State::send_nack) {
            state_ = State::nack_sent;
            said_at_ = now;
            ++counts_.nacks;
            return said(true, now);
        }
        const bool is_late = waiting_ > Bytes(0) && now - first_waiting_ >= settings_.ack_delay;
        if (!ack_due_ && !is_late) return std::nullopt;
        ++counts_.acks;
        return said(false, now);
    }

    [[nodiscard]] State state() const { return state_; }
    // Whether an answer is due now, or will be due even if no more frames are received.
    [[nodiscard]] bool owes() const {
        return state_ == State::send_nack || ack_due_ || waiting_ > Bytes(0) ||
               !dropped_.is_empty();
    }
    [[nodiscard]] RetrySequence expected() const { return expected_; }
    [[nodiscard]] uint32_t kept() const { return kept_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    static constexpr unsigned tellings = 3;

    [[nodiscard]] bool was_before(uint32_t session) const {
        const uint32_t behind = session_ - session;
        const bool is_late = has_begun_ && behind > 0 && behind <= over_.size();
        return is_late || std::ranges::find(over_, session) != over_.end();
    }
    [[nodiscard]] std::size_t place(RetrySequence number) const {
        return number.number() & (settings_.window - 1);
    }
    [[nodiscard]] bool is_kept(uint32_t ahead) const {
        return ahead < settings_.window && is_kept_[place(expected_.after(ahead))];
    }
    // Notes a transmission. Returns whether transmissions before it are missing.
    bool note_order(uint32_t order) {
        if (RetryOrder::is_before(order, next_order_)) return false;  // received late
        const uint32_t gap = order - next_order_;
        if (gap > 0) misses(next_order_, gap);
        next_order_ = order + 1;
        return gap > 0;
    }
    void misses(uint32_t order, uint32_t count) {
        state_ = State::send_nack;
        if (settings_.window > 0) {
            // The sender stores only its last transmissions, fewer than `most`.
            constexpr uint32_t most = 2 * RetrySequence::most_waiting;
            const uint32_t before = count > most ? count - most : 0;
            gaps_.add(order + before, count - before);
        } else {
            from_ = order;
        }
    }
    void has_dropped(uint32_t order, bool has_gap, Nanos now) {
        if (settings_.window > 0) return dropped_.add(order, 1);
        if (has_gap) return;
        const bool may_be_lost = state_ == State::nack_sent && settings_.nack_delay > Nanos(0) &&
                                 now - said_at_ >= settings_.nack_delay;
        if (state_ == State::send_acks) from_ = order;
        if (state_ == State::send_acks || may_be_lost) state_ = State::send_nack;
    }
    void take(Bytes octets, Nanos now) {
        expected_ = expected_.after(1);
        if (state_ == State::nack_sent || settings_.window == 0) {
            state_ = kept_ > 0 ? State::nack_sent : State::send_acks;
        }
        owe(octets, now);
        ++counts_.taken;
    }
    void owe(Bytes octets, Nanos now) {
        if (waiting_ == Bytes(0)) first_waiting_ = now;
        waiting_ += octets;
        if (waiting_ >= settings_.ack_octets) ack_due_ = true;
    }
    void is_answered() {
        ack_due_ = false;
        waiting_ = Bytes(0);
    }
    RetryAnswer said(bool again, Nanos now) {
        is_answered();
        const uint32_t from = again && settings_.window == 0 ? from_ : 0;
        return {session_, again, expected_.before(), from, gaps_.tell(now)};
    }

    RetryReceiverSettings settings_;
    State state_ = State::off;
    uint32_t session_ = 0;  // present session, or the last one
    bool has_begun_ = false;
    RetrySequence expected_;
    uint32_t next_order_ = 0;    // order of the next transmission
    GapReport gaps_;             // lost transmissions; empty without a window
    GapReport dropped_;          // transmissions dropped for want of room
    Nanos asked_for_room_;       // time of the last report of `dropped_`
    uint32_t from_ = 0;          // first order that a NACK requests without a window
    std::vector<bool> is_kept_;  // indexed by number modulo window
    uint32_t kept_ = 0;
    Nanos said_at_;
    std::array<uint32_t, 16> over_{};  // the last sessions that ended
    std::size_t next_over_ = 0;
    bool ack_due_ = false;
    Bytes waiting_;  // octets received since the last answer
    Nanos first_waiting_;
    Counts counts_;
};

}  // namespace sluice
