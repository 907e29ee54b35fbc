// RetrySender: the sending end of a link that sends again what was lost: which number a frame
// gets, which are to be sent again, and which need not be kept any longer.
//
// States and their names are those of SAI's and UEC's LLR:
//   off      frames go as they are
//   init     the receiver is asked to begin, again after each `replay_timer`; none goes by a
//            number, and whether frames go without is the caller's (port_retry.h: they do)
//   advance  new frames go, and are kept by whoever sends them until they are acknowledged
//   replay   some are to go again, the oldest first, and ahead of new ones
//   flush    the oldest was sent again `replay_count_max` times in vain, or waited for
//            `data_age`: what is kept is given up, and a session begins anew by `begin`
// An answer of another session, about frames that never went, or about some that were acknowledged
// before, as it came late, changes nothing and is counted.
// What goes again is what an answer names by its transmissions (RetryOrder), unless it has gone
// again since: so the same may be named by many answers, and a frame that is lost again is sent
// again a round trip later. Where nothing is acknowledged for `replay_timer`, the oldest goes
// again, and once that is acknowledged, all that went before it and is not: as far as that was
// lost, what named it was lost as well.
// Bound: 16 octets for each frame that may wait, rounded up to a power of two; O(1) a call, but for
// `answered`, which looks at four for each of these at the most.
// What it does not: carry a frame, keep its octets, or bound these.
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
        uint64_t replays = 0;   // answers and timeouts that had frames sent again
        uint64_t timeouts = 0;
        uint64_t acknowledged = 0;
        uint64_t unexpected = 0;  // of another session, about what never went, or that came late
        uint64_t flushes = 0;
    };

    explicit RetrySender(const RetrySenderSettings& settings)
        : settings_(settings),
          entries_(std::bit_ceil(settings.most_frames)),
          went_(2 * entries_.size()),
          queue_(settings.most_frames) {}

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
        return is_open() && kept() + chosen < settings_.most_frames;
    }
    // A new frame of that traffic class leaves now, with the returned number and the order `order`.
    // Call it only if `may_send`.
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
    // The number that is to go again now, if any, by the order `order`: the oldest of those whose
    // classes are not `held`. Call `replayed` once it went.
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
    // Classes in which some are to go again.
    [[nodiscard]] ReplayQueue::Classes classes_to_replay() const { return queue_.waiting(); }
    // That of the oldest, where it is to go again.
    [[nodiscard]] ReplayQueue::Classes class_of_oldest() const {
        if (kept() == 0 || !is_queued(oldest_)) return 0;
        return static_cast<ReplayQueue::Classes>(1U << entry(oldest_).traffic_class);
    }

    // How many of those that were kept need not be any more, the oldest first.
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
        ++counts_.replays;
        last_progress_ = now;
        if (is_queued(oldest_)) {
            count_replay();  // it could not go, which counts as if it had gone once more
        } else {
            add(oldest_);
        }
        note_queue();
    }

    // For so long the oldest could not go again, as the peer's pause holds it: that does not count.
    void wait(Nanos time) {
        assert(time >= Nanos(0));
        last_progress_ += time;
        oldest_since_ += time;
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] uint32_t session() const { return session_; }
    [[nodiscard]] bool is_open() const { return is_open(state_); }
    // Whether frames are numbered in that state.
    static constexpr bool is_open(State state) {
        return state == State::advance || state == State::replay;
    }
    // Frames that went and are not acknowledged.
    [[nodiscard]] uint32_t kept() const { return next_.since(oldest_); }
    // That the next transmission has (RetryOrder), be it of a new frame or one that goes again.
    [[nodiscard]] uint32_t order() const { return next_order_; }
    [[nodiscard]] RetrySequence oldest() const { return oldest_; }
    [[nodiscard]] RetrySequence next() const { return next_; }  // that `send` gives
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    struct Entry {
        uint32_t order = 0;  // of its last transmission
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
        // So that it stays behind, however long none is lost.
        constexpr uint32_t far = 1U << 30;
        if (next_order_ - went_back_at_ > far) went_back_at_ = next_order_ - far;
    }
    void note_queue() {
        if (is_open()) state_ = queue_.count() > 0 ? State::replay : State::advance;
    }

    // The first answer opens the session.
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
    // Queues the frames whose last transmission is in the run. Looks at no more than `most` of its
    // transmissions, and returns at how many.
    uint32_t go_again(const RetryRun& run, uint32_t most) {
        const auto known = static_cast<uint32_t>(went_.size());
        const uint32_t gone = next_order_ - run.first;  // since its first
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
    // All that is kept, once for all gaps among what went before that.
    void go_back(uint32_t order) {
        if (RetryOrder::is_before(order, went_back_at_)) return;
        went_back_at_ = next_order_;
        add_before(next_order_);
    }
    // What is kept, and went before that transmission.
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
    // False: the oldest was sent again often enough.
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
    RetrySequence oldest_;  // of those that are kept
    RetrySequence next_;
    uint32_t next_order_ = 0;
    uint32_t went_back_at_ = 0;        // the order that was next then
    std::vector<Entry> entries_;       // by number, modulo its size
    std::vector<RetrySequence> went_;  // by order, modulo its size
    ReplayQueue queue_;
    uint64_t added_ = 0;  // to the queue
    uint32_t replays_of_oldest_ = 0;
    uint32_t timeouts_of_oldest_ = 0;  // among them
    std::optional<uint32_t> probe_;    // by which the oldest went again after a timeout
    std::optional<Nanos> asked_;
    Nanos last_progress_;  // an acknowledgement, or the oldest went again
    Nanos oldest_since_;
    Counts counts_;
};

}  // namespace sluice
