// RelayProbe: measures the round trip of a pause across a tunnel, on the path that pauses take.
//
// Once a second an end sends a question to the other end, which answers at once. Both are PFC
// frames that enable no class (802.1Q 36.1.3.3) and have no effect on other receivers. Their time
// fields, otherwise meaningless, contain:
//
//   0    mark      1   question or answer      2, 3   stamp      4, 5   held      6, 7   0
//
// The stamp of a question is the sender's time, in nanoseconds modulo 2^32. The answer repeats the
// stamp, and adds the time from the arrival of the question to the answer, so the two clocks are
// never compared. The reserve is computed from the round trip, whichever direction is longer
// (buffer/headroom.h uses half of it, twice). A probe uses the path of pauses in both directions;
// it does not measure the path of data, which has its own class and flow hash. Bound: one question
// a second, or one every three seconds while none is answered; 100 answers a second. `round_trips`
// returns the longest and the shortest of the last `kept` round trips. An unsolicited answer has no
// effect; to forge an answer one needs the stamp and the source of a legal pause (pause_frame.h).
// Only its worker calls it; any thread may read the results.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class RelayProbe {
  public:
    using Words = std::array<uint16_t, max_priorities>;

    static constexpr std::size_t kept = 8;
    static constexpr Nanos longest{3'000'000'000};  // a later answer does not count

    struct RoundTrips {
        Nanos shortest;
        Nanos longest;
    };

    // Forgets that a peer has ever answered.
    void begin_anew() {
        start_over();
        expected_.set(0);
    }
    // Sets whether the port has link. Without a link nothing is sent. After a loss of link the peer
    // may be another one, further away, so round trips are measured anew. If a peer has ever
    // answered, an answer is still expected.
    void set_link(bool up) {
        if (up == has_link_) return;
        has_link_ = up;
        start_over();
    }
    // Returns whether a question or an answer should be sent now. `words` returns its time fields;
    // call `sent` after it was sent.
    [[nodiscard]] bool is_due(Nanos now) const {
        return has_link_ && (answers(now) || now >= ask_at_);
    }
    [[nodiscard]] Words words(Nanos now) const {
        if (!answers(now)) return words_of(question, low(now), 0);
        return words_of(answer, stamp_, low(now - received_at_));
    }
    void sent(Nanos now) {
        assert(is_due(now));
        if (answers(now)) {
            answer_is_due_ = false;
            answer_at_ = now + between_answers;
            return;
        }
        waits_ = true;
        asked_at_ = now;
        ask_at_ = now + longest;
        asked_.add(1);
    }
    void receive(const Words& words, Nanos now) {
        if (!is_probe(words)) return;
        const uint32_t stamp = word_32(words[2], words[3]);
        if (words[1] == question) {
            answer_is_due_ = true;
            stamp_ = stamp;
            received_at_ = now;
        } else if (waits_ && stamp == low(asked_at_)) {
            take(now - asked_at_ - Nanos(word_32(words[4], words[5])), now);
        }
    }

    // Returns the round trips of the last answers; nothing if there are none.
    [[nodiscard]] std::optional<RoundTrips> round_trips(Nanos now) const {
        const uint64_t count = kept_.value();
        const Nanos last(static_cast<int64_t>(answered_at_.value()));
        if (count == 0 || now - last > longest * 2) return std::nullopt;
        const auto known = static_cast<std::size_t>(std::min<uint64_t>(count, kept));
        RoundTrips trips{Nanos(INT64_MAX), Nanos(0)};
        for (std::size_t n = 0; n < known; ++n) {
            const Nanos trip(static_cast<int64_t>(trips_[n].value()));
            trips.shortest = std::min(trips.shortest, trip);
            trips.longest = std::max(trips.longest, trip);
        }
        return trips;
    }
    // Returns whether a peer has ever answered, but no answer was received recently, or since the
    // link came up.
    [[nodiscard]] bool has_ceased(Nanos now) const {
        return expected_.value() != 0 && !round_trips(now);
    }
    [[nodiscard]] uint64_t asked() const { return asked_.value(); }
    [[nodiscard]] uint64_t answered() const { return answered_.value(); }

    // Returns whether the time fields of a pause that enables no class are those of a probe.
    static bool is_probe(const Words& words) {
        return words[0] == mark && (words[1] == question || words[1] == answer) && words[6] == 0 &&
               words[7] == 0;
    }

  private:
    static constexpr uint16_t mark = 0x5254;
    static constexpr uint16_t question = 1;
    static constexpr uint16_t answer = 2;
    static constexpr Nanos period{1'000'000'000};
    static constexpr Nanos between_answers{10'000'000};
    static_assert(longest.count() < int64_t{1} << 32, "a stamp is of one moment alone");

    static uint32_t low(Nanos time) { return static_cast<uint32_t>(time.count()); }
    static uint32_t word_32(uint16_t high, uint16_t low) { return uint32_t{high} << 16 | low; }
    static Words words_of(uint16_t kind, uint32_t stamp, uint32_t held) {
        return {mark,
                kind,
                static_cast<uint16_t>(stamp >> 16),
                static_cast<uint16_t>(stamp),
                static_cast<uint16_t>(held >> 16),
                static_cast<uint16_t>(held),
                0,
                0};
    }
    [[nodiscard]] bool answers(Nanos now) const { return answer_is_due_ && now >= answer_at_; }
    // Forgets all results and pending answers, and makes a question due at once.
    void start_over() {
        waits_ = answer_is_due_ = false;
        ask_at_ = answer_at_ = Nanos(0);
        kept_.set(0);
    }
    void take(Nanos trip, Nanos now) {
        assert(waits_);
        if (trip < Nanos(0)) return;
        waits_ = false;
        expected_.set(1);
        ask_at_ = asked_at_ + period;
        trips_[kept_.value() % kept].set(static_cast<uint64_t>(trip.count()));
        answered_at_.set(static_cast<uint64_t>(now.count()));
        kept_.add(1);
        answered_.add(1);
    }

    bool has_link_ = true;
    bool waits_ = false;  // a question is unanswered
    Nanos asked_at_;
    Nanos ask_at_;
    bool answer_is_due_ = false;
    uint32_t stamp_ = 0;
    Nanos received_at_;
    Nanos answer_at_;
    Counter asked_;
    Counter answered_;
    Counter answered_at_;
    Counter expected_;  // 1: a peer has answered at least once
    Counter kept_;      // number of round trips since the start or the last link up
    std::array<Counter, kept> trips_;
};

}  // namespace sluice
