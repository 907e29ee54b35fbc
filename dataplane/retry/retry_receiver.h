// RetryReceiver: the receiving end of a link that sends again what was lost: which frames are the
// next ones, and what the sender is told.
//
// States and their names are those of SAI's and UEC's LLR:
//   off        nothing is taken
//   send_acks  all came so far
//   send_nack  one is missing or damaged, and that is still to be said
//   nack_sent  it was said, and is not said again until the missing one comes, or frames that went
//              again show that it was lost once more (RetryRound); or frames still come behind it
//              after `nack_delay`, as that NACK may be lost: a sender heeds one in each round
// A frame is taken only as the next in order, so none is delivered twice and none overtakes. An
// ACK is cumulative: it is due once `ack_octets` came since the last, `ack_delay` after a frame
// that none has acknowledged, and at once for a frame that came before, whose acknowledgement may
// be lost (without that a sender whose NACK was lost would send for ever what is here already).
// A session that is over is not begun again, as long as it is one of the last 16: what asks for it
// comes late, and what was taken in it would be taken twice. Nor are the 16 numbers before that of
// the newest: a sender counts its sessions, so one of those that never opened comes late as well.
// Bound: no memory for frames; each call costs the same. What it does not: carry a frame, or know
// how an answer is carried.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dataplane/retry/retry_answer.h"
#include "dataplane/types/units.h"

namespace sluice {

struct RetryReceiverSettings {
    Bytes ack_octets{2048};  // 0: an ACK for each frame
    Nanos ack_delay{10'000};
    Nanos nack_delay{0};  // a NACK is said again after so long; 0: once in each round
};

class RetryReceiver {
  public:
    enum class State : uint8_t { off, send_acks, send_nack, nack_sent };
    enum class Verdict : uint8_t {
        take,       // it is the next
        duplicate,  // it was here before
        missing,    // one before it did not come
        other,      // it is of another session, or none has begun
    };
    struct Counts {
        uint64_t taken = 0;
        uint64_t duplicates = 0;
        uint64_t missing = 0;  // frames that came behind one that did not
        uint64_t damaged = 0;
        uint64_t acks = 0;
        uint64_t nacks = 0;
    };

    explicit RetryReceiver(const RetryReceiverSettings& settings) : settings_(settings) {}

    // The sender begins a session, and whatever was before is over; or it asks once more. False:
    // that session was over before, and its question comes late, or its sender has to take another.
    bool begin(uint32_t session) {
        if (state_ == State::off || session != session_) {
            if (was_before(session)) return false;
            end();
            session_ = session;
            has_begun_ = true;
            expected_ = RetrySequence();
            state_ = State::send_acks;
            newest_round_ = 0;
        }
        ack_due_ = true;  // which tells the sender that it may
        return true;
    }
    void end() {
        if (state_ != State::off) over_[next_over_++ % over_.size()] = session_;
        state_ = State::off;
        said(false);  // nothing is owed any more
    }

    // `round`: how often the sender had begun to send again what it kept.
    Verdict arrived(uint32_t session, RetrySequence sequence, uint32_t round, Bytes octets,
                    Nanos now) {
        if (state_ == State::off || session != session_) return Verdict::other;
        const bool is_late = RetryRound::is_before(round, newest_round_);
        if (!is_late) newest_round_ = round;
        if (sequence == expected_) {
            take(octets, now);
            return Verdict::take;
        }
        if (sequence.is_before(expected_)) {
            ++counts_.duplicates;
            ack_due_ = true;
            return Verdict::duplicate;
        }
        ++counts_.missing;
        if (!is_late) ask_again(now);
        return Verdict::missing;
    }
    // A frame whose octets, and so whose number, cannot be trusted.
    void damaged() {
        if (state_ == State::off) return;
        ++counts_.damaged;
        ask_again(said_at_);
    }

    // What is to be said now, once.
    std::optional<RetryAnswer> answer(Nanos now) {
        if (state_ == State::off) return std::nullopt;
        if (state_ == State::send_nack) {
            state_ = State::nack_sent;
            said_at_ = now;
            ++counts_.nacks;
            return said(true);
        }
        const bool is_late = waiting_ > Bytes(0) && now - first_waiting_ >= settings_.ack_delay;
        if (!ack_due_ && !is_late) return std::nullopt;
        ++counts_.acks;
        return said(false);
    }

    [[nodiscard]] State state() const { return state_; }
    // Whether an answer is due, or will be without anything more that comes.
    [[nodiscard]] bool owes() const {
        return state_ == State::send_nack || ack_due_ || waiting_ > Bytes(0);
    }
    [[nodiscard]] RetrySequence expected() const { return expected_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    [[nodiscard]] bool was_before(uint32_t session) const {
        const uint32_t behind = session_ - session;
        const bool is_late = has_begun_ && behind > 0 && behind <= over_.size();
        return is_late || std::ranges::find(over_, session) != over_.end();
    }
    void take(Bytes octets, Nanos now) {
        expected_ = expected_.after(1);
        state_ = State::send_acks;
        if (waiting_ == Bytes(0)) first_waiting_ = now;
        waiting_ += octets;
        if (waiting_ >= settings_.ack_octets) ack_due_ = true;
        ++counts_.taken;
    }
    // Once in each round, and once more where that may have been lost.
    void ask_again(Nanos now) {
        const bool was_said =
            state_ == State::nack_sent && !RetryRound::is_before(said_in_round_, newest_round_);
        const bool may_be_lost =
            settings_.nack_delay > Nanos(0) && now - said_at_ >= settings_.nack_delay;
        if (was_said && !may_be_lost) return;
        state_ = State::send_nack;
        said_in_round_ = newest_round_;
    }
    RetryAnswer said(bool again) {
        ack_due_ = false;
        waiting_ = Bytes(0);
        return {session_, again, expected_.before(), again ? said_in_round_ : 0};
    }

    RetryReceiverSettings settings_;
    State state_ = State::off;
    uint32_t session_ = 0;  // the newest
    bool has_begun_ = false;
    RetrySequence expected_;
    uint32_t newest_round_ = 0;   // of all that came
    uint32_t said_in_round_ = 0;  // the last NACK was
    Nanos said_at_;
    std::array<uint32_t, 16> over_{};  // sessions that ended, the last of them
    std::size_t next_over_ = 0;
    bool ack_due_ = false;
    Bytes waiting_;  // octets that no answer has acknowledged
    Nanos first_waiting_;
    Counts counts_;
};

}  // namespace sluice
