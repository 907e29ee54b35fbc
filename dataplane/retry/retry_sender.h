// RetrySender: the sending end of a link that sends again what was lost: which number a frame
// gets, which are to be sent again, and which need not be kept any longer.
//
// States and their names are those of SAI's and UEC's LLR:
//   off      frames go as they are
//   init     the receiver is asked to begin, again after each `replay_timer`; none goes by a
//            number, and whether frames go without is the caller's (port_retry.h: they do)
//   advance  new frames go, and are kept by whoever sends them until they are acknowledged
//   replay   those that are kept go again, the oldest first (go-back-N), and no new one; where none
//            could go for `replay_timer`, that counts as if they had gone once more
//   flush    the oldest was sent again `replay_count_max` times in vain, or waited for
//            `data_age`: what is kept is given up, and a session begins anew by `begin`
// An answer of another session, about frames that never went, or about some that were acknowledged
// before, as it came late, changes nothing and is counted.
// A NACK is heeded where its gap was seen among what went last (RetryRound), so once each time that
// what is kept goes again: a frame that is lost again is sent again a round trip later.
// Bound: no memory for frames, which the caller keeps in the order of their numbers; `most_frames`
// wait at the most. What it does not: carry a frame, or bound its octets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "dataplane/retry/retry_answer.h"
#include "dataplane/types/units.h"

namespace sluice {

struct RetrySenderSettings {
    uint32_t most_frames = 4096;  // below RetrySequence::most_waiting
    Nanos replay_timer{100'000};  // more than a round trip and `ack_delay`
    Nanos data_age{0};            // 0: any
    uint32_t replay_count_max = 1;
    unsigned doublings = 0;  // of `replay_timer`, one each time that it ended in vain
};

class RetrySender {
  public:
    enum class State : uint8_t { off, init, advance, replay, flush };
    struct Counts {
        uint64_t inits = 0;
        uint64_t sent = 0;
        uint64_t replayed = 0;  // frames
        uint64_t replays = 0;
        uint64_t timeouts = 0;  // that began one of them
        uint64_t acknowledged = 0;
        uint64_t unexpected = 0;  // of another session, about what never went, or that came late
        uint64_t flushes = 0;
    };

    explicit RetrySender(const RetrySenderSettings& settings) : settings_(settings) {}

    // From now on; how many frames wait at the most stays.
    void use(Nanos replay_timer, uint32_t replay_count_max, Nanos data_age) {
        settings_.replay_timer = replay_timer;
        settings_.replay_count_max = replay_count_max;
        settings_.data_age = data_age;
    }

    // A session by this number, which chance gives. What was kept before is the caller's to give
    // up; sent anew, it might come twice.
    void begin(uint32_t session) {
        session_ = session;
        state_ = State::init;
        oldest_ = cursor_ = next_ = RetrySequence();
        replays_of_oldest_ = timeouts_of_oldest_ = round_ = 0;
        asked_ = std::nullopt;
    }
    void end() { state_ = State::off; }

    // Whether the receiver is to be asked now to begin the session.
    bool ask_to_begin(Nanos now) {
        if (state_ != State::init) return false;
        if (asked_ && now - *asked_ < settings_.replay_timer) return false;
        asked_ = now;
        ++counts_.inits;
        return true;
    }

    // `chosen`: frames that are about to be sent before it.
    [[nodiscard]] bool may_send(uint32_t chosen = 0) const {
        return state_ == State::advance && kept() + chosen < settings_.most_frames;
    }
    // A new frame goes now, by this number. Only where it may.
    RetrySequence send(Nanos now) {
        if (kept() == 0) restart_timer(now);
        ++counts_.sent;
        const RetrySequence number = next_;
        next_ = cursor_ = next_.after(1);
        return number;
    }
    // The number that is to go again now, if any; `replayed` once it went.
    [[nodiscard]] std::optional<RetrySequence> to_replay() const {
        if (state_ != State::replay) return std::nullopt;
        return cursor_;
    }
    void replayed(Nanos now) {
        ++counts_.replayed;
        cursor_ = cursor_.after(1);
        last_progress_ = now;
        if (cursor_ == next_) state_ = State::advance;
    }

    // How many of those that were kept need not be any more, the oldest first.
    uint32_t answered(const RetryAnswer& answer, Nanos now) {
        const uint32_t released = answer.sequence.since(oldest_.before());
        if (answer.session != session_ || !in_session(answer, now) || released > kept()) {
            ++counts_.unexpected;
            return 0;
        }
        release(released, now);
        if (answer.again && kept() > 0 && answer.round == round_) replay(now);
        return released;
    }

    // Whether what waits for too long goes again, or is given up.
    void look(Nanos now) {
        if (!is_open() || kept() == 0) return;
        if (settings_.data_age > Nanos(0) && now - oldest_since_ >= settings_.data_age) {
            give_up();
            return;
        }
        const unsigned doublings = std::min(timeouts_of_oldest_, settings_.doublings);
        const Nanos timer = settings_.replay_timer * (int64_t{1} << doublings);
        if (now - last_progress_ < timer) return;
        ++counts_.timeouts;
        ++timeouts_of_oldest_;
        if (state_ == State::replay) {
            count_replay(now);
        } else {
            replay(now);
        }
    }

    // For so long what is to go again could not, as the peer's pause holds it: that does not count.
    void wait(Nanos time) {
        last_progress_ += time;
        oldest_since_ += time;
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] uint32_t session() const { return session_; }
    // Frames that went and are not acknowledged.
    [[nodiscard]] uint32_t kept() const { return next_.since(oldest_); }
    // That frames go with, new ones and those that go again (RetryRound).
    [[nodiscard]] uint32_t round() const { return round_; }
    [[nodiscard]] RetrySequence oldest() const { return oldest_; }
    [[nodiscard]] RetrySequence next() const { return next_; }  // that `send` gives
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    [[nodiscard]] bool is_open() const {
        return state_ == State::advance || state_ == State::replay;
    }
    // The first answer opens the session.
    bool in_session(const RetryAnswer& answer, Nanos now) {
        if (state_ == State::init && !answer.again && answer.sequence == oldest_.before()) {
            state_ = State::advance;
            restart_timer(now);
        }
        return is_open();
    }
    void release(uint32_t frames, Nanos now) {
        if (frames == 0) return;
        const uint32_t behind = cursor_.since(oldest_);
        oldest_ = oldest_.after(frames);
        if (behind < frames) cursor_ = oldest_;
        if (state_ == State::replay && cursor_ == next_) state_ = State::advance;
        counts_.acknowledged += frames;
        replays_of_oldest_ = timeouts_of_oldest_ = 0;
        restart_timer(now);
    }
    void replay(Nanos now) {
        if (!count_replay(now)) return;
        round_ = (round_ + 1) % RetryRound::count;
        state_ = State::replay;
        cursor_ = oldest_;
    }
    // False: there were enough of them.
    bool count_replay(Nanos now) {
        if (replays_of_oldest_ >= settings_.replay_count_max) {
            give_up();
            return false;
        }
        ++replays_of_oldest_;
        ++counts_.replays;
        last_progress_ = now;
        return true;
    }
    void give_up() {
        ++counts_.flushes;
        state_ = State::flush;
    }
    void restart_timer(Nanos now) {
        last_progress_ = now;
        oldest_since_ = now;
    }

    RetrySenderSettings settings_;
    State state_ = State::off;
    uint32_t session_ = 0;
    RetrySequence oldest_;  // of those that are kept
    RetrySequence cursor_;  // the next to go again, in replay
    RetrySequence next_;
    uint32_t replays_of_oldest_ = 0;
    uint32_t timeouts_of_oldest_ = 0;  // among them
    uint32_t round_ = 0;               // RetryRound
    std::optional<Nanos> asked_;
    Nanos last_progress_;  // an acknowledgement, or a frame that went again
    Nanos oldest_since_;
    Counts counts_;
};

}  // namespace sluice
