// RetryReceiver: the receiving end of a link that sends again what was lost: which frames are the
// next ones, which come behind a gap and are kept until it is filled, and what the sender is told.
//
// States and their names are those of SAI's and UEC's LLR:
//   off        nothing is taken
//   send_acks  all came so far
//   send_nack  one is missing or damaged, and that is still to be said
//   nack_sent  it was said, and is not said again until another one is missing
// A gap in the order of transmissions (RetryOrder) is what the wire lost. With a `window`, frames
// behind a gap are kept, and the lost transmissions alone are asked for: by a NACK, and each
// `nack_delay` by the next answer, three times in all, as answers may be lost (gap_report.h).
// Frames that come while there is no room are asked for `room_delay` later, or the link would carry
// them again and again. Without a window frames behind a gap are dropped, and the sender goes back
// to the gap (go-back-N): then a NACK is due for each gap, for a frame that comes behind one that
// was dropped, and once more after `nack_delay`, as long as such frames come.
// Frames are taken in the order of their numbers, each once, whether they were kept or not. An
// ACK is cumulative: it is due once `ack_octets` came since the last, `ack_delay` after a frame
// that came since, and at once for a frame that came before, whose acknowledgement may
// be lost (without that a sender whose NACK was lost would send for ever what is here already).
// A session that is over is not begun again, as long as it is one of the last 16: what asks for it
// comes late, and what was taken in it would be taken twice. Nor are the 16 numbers before that of
// the newest: a sender counts its sessions, so one of those that never opened comes late as well.
// Bound: a bit for each number of the window; a call costs O(1), the end of a session O(window).
// What it does not: hold the frames that are kept (resequence_buffer.h), or carry an answer.
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
    Nanos nack_delay{0};  // 0: without a window a NACK is said once
    Nanos room_delay{0};
    uint32_t window = 0;  // how far behind a gap frames are kept; 0: none is. A power of two
};

class RetryReceiver {
  public:
    enum class State : uint8_t { off, send_acks, send_nack, nack_sent };
    enum class Verdict : uint8_t {
        take,       // it is the next
        keep,       // one before it did not come, and it is to be kept until that has (`next_kept`)
        duplicate,  // it was here before
        missing,    // one before it did not come, or there is no room for it: it is to come again
        other,      // it is of another session, or none has begun
    };
    struct Arrival {
        RetrySequence number;
        uint32_t order = 0;
        Bytes octets;
        bool may_take = true;   // else there is no room for it
        bool may_keep = false;  // there is room for it if it comes behind a gap
    };
    struct Counts {
        uint64_t taken = 0;
        uint64_t kept = 0;  // of these, frames that came behind a gap
        uint64_t duplicates = 0;
        uint64_t missing = 0;  // frames that came behind one that did not, and were dropped
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

    // The sender begins a session, and whatever was before is over; or it asks once more. False:
    // that session was over before, and its question comes late, or its sender has to take another.
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
        ack_due_ = true;  // which tells the sender that it may
        return true;
    }
    // What is kept is nobody's any more.
    void end() {
        if (state_ != State::off) over_[next_over_++ % over_.size()] = session_;
        state_ = State::off;
        is_answered();  // nothing is owed any more
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
    // After a `take`, until there is none: whether the next one is kept. Then it is taken as well.
    bool next_kept(Bytes octets, Nanos now) {
        if (!has_next_kept()) return false;
        assert(kept_ > 0);
        is_kept_[place(expected_)] = false;
        --kept_;
        take(octets, now);
        return true;
    }
    [[nodiscard]] bool has_next_kept() const { return kept_ > 0 && is_kept_[place(expected_)]; }
    // A frame whose octets, and so whose number, cannot be trusted: that of the next transmission,
    // as the wire keeps their order.
    void damaged() {
        if (state_ == State::off) return;
        ++counts_.damaged;
        misses(next_order_++, 1);
    }

    // What is to be said now, once.
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
    // Whether an answer is due, or will be without anything more that comes.
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
    // Whether transmissions before that one did not come.
    bool note_order(uint32_t order) {
        if (RetryOrder::is_before(order, next_order_)) return false;  // it comes late
        const uint32_t gap = order - next_order_;
        if (gap > 0) misses(next_order_, gap);
        next_order_ = order + 1;
        return gap > 0;
    }
    void misses(uint32_t order, uint32_t count) {
        state_ = State::send_nack;
        if (settings_.window > 0) {
            // The sender knows the last transmissions alone: of fewer frames than that.
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
    uint32_t session_ = 0;  // the newest
    bool has_begun_ = false;
    RetrySequence expected_;
    uint32_t next_order_ = 0;  // behind the newest transmission that came
    GapReport gaps_;           // with a window
    GapReport dropped_;        // for want of room
    Nanos asked_for_room_;
    uint32_t from_ = 0;          // without: from which on all is to go again
    std::vector<bool> is_kept_;  // by number
    uint32_t kept_ = 0;
    Nanos said_at_;
    std::array<uint32_t, 16> over_{};  // sessions that ended, the last of them
    std::size_t next_over_ = 0;
    bool ack_due_ = false;
    Bytes waiting_;  // octets that came since the last answer
    Nanos first_waiting_;
    Counts counts_;
};

}  // namespace sluice
