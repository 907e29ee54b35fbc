// RetryReceiver: the receiving end of a link that sends again what was lost: which frames are the
// next ones, and what the sender is told.
//
// States and their names are those of SAI's and UEC's LLR:
//   off        nothing is taken
//   send_acks  all came so far
//   send_nack  one is missing or damaged, and that is still to be said
//   nack_sent  it was said, and is not said again until the missing one comes
// A frame is taken only as the next in order, so none is delivered twice and none overtakes. An
// ACK is cumulative: it is due once `ack_octets` came since the last, `ack_delay` after a frame
// that none has acknowledged, and at once for a frame that came before, whose acknowledgement may
// be lost (without that a sender whose NACK was lost would send for ever what is here already).
// Bound: no memory for frames; each call costs the same. What it does not: carry a frame, or know
// how an answer is carried.
#pragma once

#include <cstdint>
#include <optional>

#include "dataplane/retry/retry_answer.h"
#include "dataplane/units.h"

namespace sluice {

struct RetryReceiverSettings {
    Bytes ack_octets{2048};  // 0: an ACK for each frame
    Nanos ack_delay{10'000};
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

    // The sender begins a session, and whatever was before is over; or it asks once more.
    void begin(uint32_t session) {
        ack_due_ = true;  // which tells the sender that it may
        if (state_ != State::off && session == session_) return;
        session_ = session;
        expected_ = RetrySequence();
        state_ = State::send_acks;
        waiting_ = Bytes(0);
    }
    void end() {
        state_ = State::off;
        said(false);  // nothing is owed any more
    }

    Verdict arrived(uint32_t session, RetrySequence sequence, Bytes octets, Nanos now) {
        if (state_ == State::off || session != session_) return Verdict::other;
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
        ask_again();
        return Verdict::missing;
    }
    // A frame whose octets, and so whose number, cannot be trusted.
    void damaged() {
        if (state_ == State::off) return;
        ++counts_.damaged;
        ask_again();
    }

    // What is to be said now, once.
    std::optional<RetryAnswer> answer(Nanos now) {
        if (state_ == State::off) return std::nullopt;
        if (state_ == State::send_nack) {
            state_ = State::nack_sent;
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
    void take(Bytes octets, Nanos now) {
        expected_ = expected_.after(1);
        state_ = State::send_acks;
        if (waiting_ == Bytes(0)) first_waiting_ = now;
        waiting_ += octets;
        if (waiting_ >= settings_.ack_octets) ack_due_ = true;
        ++counts_.taken;
    }
    void ask_again() {
        if (state_ == State::send_acks) state_ = State::send_nack;
    }
    RetryAnswer said(bool again) {
        ack_due_ = false;
        waiting_ = Bytes(0);
        return {session_, again, expected_.before()};
    }

    RetryReceiverSettings settings_;
    State state_ = State::off;
    uint32_t session_ = 0;
    RetrySequence expected_;
    bool ack_due_ = false;
    Bytes waiting_;  // octets that no answer has acknowledged
    Nanos first_waiting_;
    Counts counts_;
};

}  // namespace sluice
