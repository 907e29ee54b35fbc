// RetrySender: the sending end of a link with retry. Numbers frames, selects the frames to resend,
// and counts the acknowledged frames that the caller may release.
//
// States and their names are those of SAI's and UEC's LLR:
//   off      frames are sent without retry
//   init     the receiver is requested to begin, once every `replay_timer`; no frame is numbered.
//            The caller decides what happens to frames without a number (port_retry.h)
//   advance  new frames are numbered, and the caller keeps them until they are acknowledged
//   replay   frames are resent, the oldest first, ahead of new frames
//   flush    the oldest frame was resent `replay_count_max` times in vain, or was kept for
//            `data_age`: the caller gives up the kept frames and calls `begin`
// An answer of another session, about frames that were not sent, or about frames that were
// acknowledged before, is counted and otherwise ignored.
// An answer names past transmissions (RetryOrder) whose frames were lost or found no room. Such a
// frame is resent, unless it was resent since that transmission. Therefore several answers may name
// the same transmission, and a frame that is lost again is resent a round trip later. If no frame
// is acknowledged for `replay_timer`, the oldest frame is resent. Once that frame is acknowledged,
// all unacknowledged frames that were last sent before the resend are resent: they were lost, and
// so were the answers that named them.
// Bound: 16 octets for each frame of `most_frames`, rounded up to a power of two. Each call is
// O(1), except `answered`, which visits at most four entries a frame.
// Not here: sending, the octets of frames, and the limit on these octets.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dataplane/retry/replay_queue.h"
#include "dataplane/retry/retry_answer.h"
#include "dataplane/types/units.h"

namespace sluice {

struct RetrySenderSettings {
    uint32_t most_frames = 4096;  // below RetrySequence::most_waiting
    Nanos replay_timer{100'000};  // more than a round trip and `ack_delay`
    Nanos data_age{0};            // 0: no limit
    uint32_t replay_count_max = 1;
    unsigned doublings = 0;  // most consecutive timeouts that each double `replay_timer`
};

class RetrySender {
  public:
    enum class State : uint8_t { off, init, advance, replay, flush };
    struct Counts {
        uint64_t inits = 0;
        uint64_t sent = 0;
        uint64_t replayed = 0;  // frames resent
        uint64_t replays = 0;   // answers and timeouts that caused frames to be resent
        uint64_t timeouts = 0;
        uint64_t acknowledged = 0;
        uint64_t unexpected = 0;  // answers that were ignored
        uint64_t flushes = 0;
    };

    explicit RetrySender(const RetrySenderSettings& settings)
        : settings_(settings),
          entries_(std::bit_ceil(settings.most_frames)),
          went_(2 * entries_.size()),
          queue_(settings.most_frames) {}

    // Changes the timers and the limit of replays. `most_frames` does not change.
    void use(Nanos replay_timer, uint32_t replay_count_max, Nanos data_age) {
        settings_.replay_timer = replay_timer;
        settings_.replay_count_max = replay_count_max;
        settings_.data_age = data_age;
    }

    // Begins a session with this number. The caller gives up frames that it kept before: resent in
    // the new session, they might be received twice.
    void begin(uint32_t session) {
        session_ = session;
        state_ = State::init;
        oldest_ = next_ = RetrySequence();
        next_order_ = went_back_at_ = 0;
        queue_.clear();
        replays_of_oldest_ = timeouts_of_oldest_ = 0;
        asked_ = std::nullopt;
        probe_ = std::nullopt;
    }
    void end() {
        queue_.clear();
        state_ = State::off;
    }

    // Whether a request to begin the session is due; if so, counts it as sent at `now`.
    bool ask_to_begin(Nanos now) {
        if (state_ != State::init) return false;
        if (asked_ && now - *asked_ < settings_.replay_timer) return false;
        asked_ = now;
        ++counts_.inits;
        return true;
    }

    // Whether one more frame may be numbered after `chosen` frames that `send` has not seen yet.
    [[nodiscard]] bool may_send(uint32_t chosen = 0) const {
        return is_open() && kept() + chosen < settings_.most_frames;
    }
    // Counts a new frame of `traffic_class` as sent, with the returned number and the order that
    // `order` returned before. Requires `may_send`.
    RetrySequence send(Nanos now, uint8_t traffic_class = ReplayQueue::never_paused) {
        assert(may_send());
        if (kept() == 0) restart_timers(now);
        ++counts_.sent;
        const RetrySequence number = next_;
        next_ = next_.after(1);
        entry(number).traffic_class = traffic_class;
        goes(number);
        return number;
    }
    // Returns the number of the next frame to resend, the oldest of the classes that are not
    // `held`. The resend has the order that `order` returns. Call `replayed` once it was sent.
    [[nodiscard]] std::optional<RetrySequence> to_replay(ReplayQueue::Classes held = 0) {
        if (state_ != State::replay) return std::nullopt;
        return queue_.next(held);
    }
    void replayed(RetrySequence number, Nanos now) {
        assert(number.since(oldest_) < kept() && "what goes again is kept");
        ++counts_.replayed;
        queue_.remove(entry(number).traffic_class, number);
        if (number == oldest_) {
            last_progress_ = now;
            if (timeouts_of_oldest_ > 0) probe_ = next_order_;
        }
        goes(number);
        note_queue();
    }
    // Returns the classes that have frames to resend.
    [[nodiscard]] ReplayQueue::Classes classes_to_replay() const { return queue_.waiting(); }
    // Returns the class of the oldest frame if that frame waits to be resent, else no class.
    [[nodiscard]] ReplayQueue::Classes class_of_oldest() const {
        if (kept() == 0 || !is_queued(oldest_)) return 0;
        return static_cast<ReplayQueue::Classes>(1U << entry(oldest_).traffic_class);
    }

    // Processes an answer. Returns how many kept frames, from the oldest on, are acknowledged.
    uint32_t answered(const RetryAnswer& answer, Nanos now) {
        const uint32_t released = answer.sequence.since(oldest_.before());
        if (answer.session != session_ || !in_session(answer, now) || released > kept() ||
            !has_gone(answer)) {
            ++counts_.unexpected;
            return 0;
        }
        const uint64_t before = added_;
        release(released, now);
        if (goes_back(answer)) go_back(answer.order);
        uint32_t left = static_cast<uint32_t>(went_.size());
        for (const RetryRun& run : answer.runs.all()) left -= go_again(run, left);
        if (added_ != before) ++counts_.replays;
        note_queue();
        return released;
    }

    // Checks the timers: queues the oldest frame if `replay_timer` expired, or changes to `flush`
    // if `data_age` did. Called once a poll.
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
        ++counts_.replays;
        last_progress_ = now;
        if (is_queued(oldest_)) {
            count_replay();  // the frame is still unsent: the timeout counts as a replay
        } else {
            add(oldest_);
        }
        note_queue();
    }

    // Extends the timers by `time`, during which the peer's pause held the oldest frame.
    void wait(Nanos time) {
        assert(time >= Nanos(0));
        last_progress_ += time;
        oldest_since_ += time;
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] uint32_t session() const { return session_; }
    [[nodiscard]] bool is_open() const { return is_open(state_); }
    // Whether a sender in that state numbers frames.
    static constexpr bool is_open(State state) {
        return state == State::advance || state == State::replay;
    }
    // Returns the number of frames sent and not acknowledged.
    [[nodiscard]] uint32_t kept() const { return next_.since(oldest_); }
    // Returns the RetryOrder of the next transmission, be it of a new or of a resent frame.
    [[nodiscard]] uint32_t order() const { return next_order_; }
    [[nodiscard]] RetrySequence oldest() const { return oldest_; }
    [[nodiscard]] RetrySequence next() const { return next_; }  // number of the next `send`
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    struct Entry {
        uint32_t order = 0;  // order of the frame's last transmission
        uint8_t traffic_class = ReplayQueue::never_paused;
    };

    [[nodiscard]] Entry& entry(RetrySequence number) {
        return entries_[number.number() & (entries_.size() - 1)];
    }
    [[nodiscard]] const Entry& entry(RetrySequence number) const {
        return entries_[number.number() & (entries_.size() - 1)];
    }
    [[nodiscard]] RetrySequence& number_of(uint32_t order) {
        return went_[order & (went_.size() - 1)];
    }
    [[nodiscard]] bool is_queued(RetrySequence number) const {
        return queue_.has(entry(number).traffic_class, number);
    }
    void goes(RetrySequence number) {
        entry(number).order = next_order_;
        number_of(next_order_++) = number;
        // Orders wrap: an order that is behind by more than half of all orders would compare as
        // later. So `went_back_at_` is advanced before that.
        constexpr uint32_t far = 1U << 30;
        if (next_order_ - went_back_at_ > far) went_back_at_ = next_order_ - far;
    }
    void note_queue() {
        if (is_open()) state_ = queue_.count() > 0 ? State::replay : State::advance;
    }

    // Returns whether a session is open. The first answer opens the session.
    bool in_session(const RetryAnswer& answer, Nanos now) {
        if (state_ == State::init && !answer.again && answer.sequence == oldest_.before()) {
            state_ = State::advance;
            restart_timers(now);
        }
        return is_open();
    }
    static bool goes_back(const RetryAnswer& answer) {
        return answer.again && answer.runs.all().empty();
    }
    [[nodiscard]] bool has_gone(const RetryAnswer& answer) const {
        const auto is_behind = [&](uint32_t order) {
            return RetryOrder::is_before(next_order_, order);
        };
        if (goes_back(answer) && is_behind(answer.order + 1)) return false;
        return std::ranges::none_of(answer.runs.all(),
                                    [&](const RetryRun& run) { return is_behind(run.end()); });
    }
    void release(uint32_t frames, Nanos now) {
        assert(frames <= kept());
        if (frames == 0) return;
        for (uint32_t n = 0; n < frames && queue_.count() > 0; ++n) {
            const RetrySequence number = oldest_.after(n);
            if (is_queued(number)) queue_.remove(entry(number).traffic_class, number);
        }
        oldest_ = oldest_.after(frames);
        counts_.acknowledged += frames;
        replays_of_oldest_ = timeouts_of_oldest_ = 0;
        restart_timers(now);
        if (const auto probe = std::exchange(probe_, std::nullopt)) add_before(*probe);
    }
    // Queues the frames whose last transmission is in the run. Visits at most `most` transmissions,
    // and returns how many it visited.
    uint32_t go_again(const RetryRun& run, uint32_t most) {
        const auto known = static_cast<uint32_t>(went_.size());
        const uint32_t gone = next_order_ - run.first;  // transmissions since the run began
        const uint32_t begin = gone > known ? gone - known : 0;
        if (begin >= run.count) return 0;
        const uint32_t end = std::min<uint32_t>(run.count, begin + most);
        for (uint32_t n = begin; n < end; ++n) {
            const RetrySequence number = number_of(run.first + n);
            const bool is_kept = number.since(oldest_) < kept();
            if (is_kept && entry(number).order == run.first + n && !is_queued(number)) add(number);
        }
        return end - begin;
    }
    // Queues all kept frames (go-back-N). Ignores a request for a transmission before the last
    // call, since that call queued all frames that were sent before.
    void go_back(uint32_t order) {
        if (RetryOrder::is_before(order, went_back_at_)) return;
        went_back_at_ = next_order_;
        add_before(next_order_);
    }
    // Queues the kept frames whose last transmission was before `order`.
    void add_before(uint32_t order) {
        for (uint32_t n = 0; n < kept(); ++n) {
            const RetrySequence number = oldest_.after(n);
            if (RetryOrder::is_before(entry(number).order, order) && !is_queued(number))
                add(number);
        }
    }
    void add(RetrySequence number) {
        if (number == oldest_ && !count_replay()) return;
        assert(number.since(oldest_) < kept());
        ++added_;
        queue_.add(entry(number).traffic_class, number);
    }
    // Counts a replay of the oldest frame. Returns false if it was resent `replay_count_max` times;
    // the state is then `flush`.
    bool count_replay() {
        if (replays_of_oldest_ >= settings_.replay_count_max) {
            give_up();
            return false;
        }
        ++replays_of_oldest_;
        return true;
    }
    void give_up() {
        ++counts_.flushes;
        state_ = State::flush;
    }
    void restart_timers(Nanos now) {
        last_progress_ = now;
        oldest_since_ = now;
    }

    RetrySenderSettings settings_;
    State state_ = State::off;
    uint32_t session_ = 0;
    RetrySequence oldest_;  // oldest kept number; `next_` if no frame is kept
    RetrySequence next_;
    uint32_t next_order_ = 0;
    uint32_t went_back_at_ = 0;        // `next_order_` at the last `go_back`
    std::vector<Entry> entries_;       // indexed by number modulo size
    std::vector<RetrySequence> went_;  // numbers sent, indexed by order modulo size
    ReplayQueue queue_;
    uint64_t added_ = 0;  // numbers ever added to `queue_`
    uint32_t replays_of_oldest_ = 0;
    uint32_t timeouts_of_oldest_ = 0;
    std::optional<uint32_t> probe_;  // order by which the oldest frame was resent after a timeout
    std::optional<Nanos> asked_;     // time of the last request to begin a session
    // Time of the last acknowledgement, or of the last replay of the oldest frame.
    Nanos last_progress_;
    Nanos oldest_since_;
    Counts counts_;
};

}  // namespace sluice
