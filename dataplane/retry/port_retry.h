// PortRetry: link-level retry at one port, in both directions. Numbers the frames of some
// priorities and keeps them until the peer acknowledges them. Accepts the peer's frames once and in
// order, and acknowledges them. The formats are retry_shim.h's; poll_retry.h makes the calls.
//
// Place. It is between a port's queues and its device, in the worker that polls both. VOQs, pauses,
// shapers and credit see a link without loss: a frame that may not be sent yet waits in its egress
// queue, which fills the VOQs before it, whose inputs are then paused. Pause frames, LLDP and lossy
// priorities bypass retry. Credit updates are numbered with the frames that they count (`number`).
//
// Sessions. Each direction has a session of its own. The sender begins it once LLDP reports that
// the peer supports retry, and repeats the request each `replay_timer` until the peer answers. An
// open session continues if LLDP frames cease.
//   NACK                 lost frames are resent, the oldest first, ahead of new frames. Those of
//                        paused priorities are not resent before the pause ends. The peer holds
//                        later frames until then, since all priorities share one sequence
//   replay timer         the oldest frame is resent; the answer shows what else is missing
//   replay_count_max, data_age, or a peer that does not know the session
//                        the kept frames are given up and counted (`given_up`), and a new session
//                        begins; the peer ignores late frames of the old session
//   link down, or LLDP reports a peer without retry
//                        the kept frames are given up, and no session begins until that changes
// A frame that gets no number is sent as it is, waits, or is dropped (`without_number`): settings
// choose this for a link before its first session, and for a link after one has ended. If the peer
// does not support retry, the frame is sent as it is.
// Frames received after a gap are kept until the gap is filled (resequence_buffer.h), and are then
// acknowledged. The switch may be full at that time, so they enter it only while their priority is
// not paused, and later frames of their priority wait behind them. Without a resequence buffer they
// are dropped; the peer resends them.
// Bound: O(1) a frame, and one copy of a frame that is sent; `settings` size the buffers. Frames
// wait while the replay buffer is full; frames that find the resequence buffer full are resent.
// Not here: retry of pause frames; protection from forged frames other than by the session number;
// and whether frames that were given up have arrived.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "dataplane/retry/replay_buffer.h"
#include "dataplane/retry/resequence_buffer.h"
#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"
#include "dataplane/retry/retry_shim.h"
#include "dataplane/retry/retry_watch.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/link_peer.h"
#include "dataplane/types/random.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class PortRetry {
  public:
    enum class Heard : uint8_t {
        other,  // not a retry frame
        frame,  // the frame inside is the expected one, and enters the switch
        keep,   // the caller passes the frame inside to `keep`
        done,   // an answer or request, which was processed, or a frame that is not accepted
    };
    // The state of the port's link and of its peer.
    struct Link {
        bool is_up = false;
        LinkPeer peer = LinkPeer::unknown;
        PrioritySet priorities = 0;  // priorities whose frames are numbered
        PrioritySet paused = 0;      // priorities that the peer pauses
        PrioritySet discarded = 0;   // priorities that the watchdog drops in a pause storm
        MacAddress source;
    };

    explicit PortRetry(const RetrySettings& settings)
        : buffer_(settings.buffer, shortest),
          arrivals_(settings.resequence),
          sender_({.most_frames = static_cast<uint32_t>(
                       std::min<std::size_t>(buffer_.most(), RetrySequence::most_waiting - 1)),
                   .replay_timer = settings.replay_timer,
                   .data_age = settings.data_age,
                   .replay_count_max = settings.replay_count_max,
                   .doublings = 6}),
          receiver_({.ack_octets = Bytes(16 * 1024),
                     .ack_delay = Nanos(10'000),
                     .nack_delay = Nanos(100'000),
                     .room_delay = Nanos(1'000'000),
                     .window = arrivals_.window()}) {}

    // Changes timers, limits and actions. The buffers do not change.
    void use(const RetrySettings& settings) {
        init_ = settings.init;
        flush_ = settings.flush;
        sender_.use(settings.replay_timer, settings.replay_count_max, settings.data_age);
    }
    // Adopts the state of the link, and checks timers. Called at the start of each poll.
    void follow(const Link& link, Nanos now) {
        // An open session keeps its priorities: if one were removed, its next frame would overtake
        // frames that are resent.
        priorities_ = static_cast<PrioritySet>(link.priorities | (is_open() ? priorities_ : 0));
        source_ = link.source;
        is_able_ = link.is_up && link.peer == LinkPeer::able;
        may_begin_ = link.is_up && (is_able_ || link.peer == LinkPeer::unknown);
        if (!may_begin_) has_flushed_ = false;
        if (!link.is_up || link.peer == LinkPeer::unable) {
            if (sender_.state() != RetrySender::State::off) give_up();
            sender_.end();
            end_receiving();
            answer_.reset();
            unknown_ = 0;
        } else if (is_able_ && sender_.state() == RetrySender::State::off) {
            begin(now);
        }
        paused_ = classes_of(link.paused);
        wait_for_pause(classes_of(link.discarded), now);
        sender_.look(now);
        if (sender_.state() == RetrySender::State::flush) begin(now);
    }

    // --- sending --------------------------------------------------------------------------------
    // Returns the priorities whose frames must wait. Frames of priorities that `discarded` also
    // returns are dropped in their queues instead.
    [[nodiscard]] PrioritySet held(Bytes longest) {
        const bool are_held = is_open() ? !has_room(longest) || sender_.to_replay(paused_)
                                        : without_number() != RetryAction::best_effort;
        return are_held ? priorities_ : PrioritySet{0};
    }
    [[nodiscard]] PrioritySet discarded() const {
        return without_number() == RetryAction::discard ? priorities_ : PrioritySet{0};
    }
    // Returns the action for frames of `priorities_` that get no number, while no session is open.
    [[nodiscard]] RetryAction without_number() const {
        if (is_open() || !may_begin_) return RetryAction::best_effort;
        const bool has_ended = sender_.state() == RetrySender::State::flush;
        return has_ended || has_flushed_ ? flush_ : init_;
    }
    // Whether a frame of `priority` is sent with a number.
    [[nodiscard]] bool numbers(Priority priority) const {
        return is_open() && is_of_its_priorities(priority);
    }
    [[nodiscard]] bool is_of_its_priorities(Priority priority) const {
        return (priorities_ & only_priority(priority)) != 0;
    }
    [[nodiscard]] bool is_open() const { return sender_.is_open(); }
    // Keeps a copy of the frame and returns the header that precedes it on the wire, or nothing if
    // the frame has to wait. `priority`: the frame's priority; empty if no pause stops the frame.
    // Afterwards call `numbered` with how many of these frames the device sent.
    [[nodiscard]] std::span<const uint8_t> number(std::span<const uint8_t> frame,
                                                  PrioritySet priority) {
        const std::span<uint8_t> room = sender_.may_send(chosen_)
                                            ? buffer_.room(retry_shim_octets + frame.size())
                                            : std::span<uint8_t>();
        if (room.empty()) return room;
        const auto shim = room.first<retry_shim_octets>();
        write_retry_shim(shim, source_,
                         {.kind = RetryKind::data,
                          .session = sender_.session(),
                          .traffic_class = class_of(priority),
                          .number = sender_.next().after(chosen_),
                          .order = sender_.order() + chosen_,
                          .length = static_cast<uint16_t>(frame.size())});
        std::ranges::copy(frame, room.begin() + retry_shim_octets);
        buffer_.keep(room.size(), priority);
        ++chosen_;
        return shim;
    }
    void numbered(std::size_t sent, Nanos now) {
        assert(sent <= chosen_);
        buffer_.take_back(std::exchange(chosen_, 0) - sent);
        for (std::size_t n = buffer_.count() - sent; n < buffer_.count(); ++n) {
            sender_.send(now, class_of(buffer_.priority(n)));
        }
    }
    // Returns the frame that was numbered last, with its header.
    [[nodiscard]] std::span<const uint8_t> newest() { return buffer_.frame(buffer_.count() - 1); }
    // Counts a frame of `priorities_` that was sent without a number.
    void went_without() { ++tally_.unnumbered; }

    // Returns the next answer or request to the peer, if any. Call `signal_sent` once it was sent.
    [[nodiscard]] std::span<const uint8_t> signal(Nanos now) {
        if (!answer_) answer_ = receiver_.answer(now);
        if (answer_) return write_retry_answer(signal_, source_, *answer_);
        if (unknown_ != 0) return written({.kind = RetryKind::unknown, .session = unknown_});
        if (!asks_) asks_ = sender_.ask_to_begin(now);
        if (asks_) return written({.kind = RetryKind::begin, .session = sender_.session()});
        return {};
    }
    void signal_sent() {
        if (answer_) {
            answer_.reset();
        } else if (unknown_ != 0) {
            unknown_ = 0;
        } else {
            asks_ = false;
        }
    }
    struct Again {
        std::span<const uint8_t> octets;
        PrioritySet priority = 0;  // the frame's priority, or empty
    };
    // Returns the next frame to resend whose priority is not `paused`; no octets if there is none.
    // Call `replayed` once the device sent it.
    [[nodiscard]] Again replay(PrioritySet paused) {
        next_again_ = sender_.to_replay(classes_of(paused));
        if (!next_again_) return {};
        const std::size_t n = next_again_->since(sender_.oldest());
        const std::span<uint8_t> frame = buffer_.frame(n);
        write_retry_order(frame.first<retry_shim_octets>(), sender_.order());
        return {frame, buffer_.priority(n)};
    }
    void replayed(Nanos now) {
        refused_since_.reset();
        sender_.replayed(*next_again_, now);
    }
    [[nodiscard]] PrioritySet to_replay() const {
        return static_cast<PrioritySet>(sender_.classes_to_replay());  // drops never_paused
    }
    // Called if the device reports that it can never send the frame of the last `replay`. A kernel
    // under pressure reports this for a while; an interface whose MTU was lowered does so for good.
    // If the reports last for `patience`, gives up all kept frames.
    void cannot_go(Nanos now) {
        if (!refused_since_) refused_since_ = now;
        if (now - *refused_since_ >= patience) begin(now);
    }

    // --- reception ------------------------------------------------------------------------------
    // Processes a received frame. For `frame` and `keep`, sets `length`: the frame inside is the
    // `length` octets after the header.
    Heard hear(std::span<const uint8_t> octets, uint16_t& length, Nanos now) {
        if (!is_of_retry(octets)) return Heard::other;
        const auto shim = read_retry_shim(octets);
        if (!shim) {
            ++tally_.malformed;
            return Heard::done;
        }
        if (shim->kind != RetryKind::data) {
            heed(octets, *shim, now);
            return Heard::done;
        }
        length = shim->length;
        return arrived(*shim, now);
    }
    // Keeps the frame for which the last `hear` returned `keep`, without its retry header.
    void keep(const Frame& frame, Nanos now) {
        if (!is_next_) return arrivals_.keep(number_, frame, class_);
        arrivals_.wait(frame, class_);
        go_on(now);
    }
    // Queues an unnumbered frame if it would overtake queued frames. Returns whether it was queued.
    bool wait(const Frame& frame, Priority priority) {
        if (!arrivals_.must_wait(priority) || !arrivals_.has_room(frame.length)) return false;
        arrivals_.wait(frame, priority);
        return true;
    }
    // Removes and returns the next queued frame whose priority is not `full`; it enters the switch.
    std::optional<Frame> enter(PrioritySet full) { return arrivals_.take(classes_of(full)); }
    [[nodiscard]] bool has_waiting() const { return arrivals_.has_waiting(); }
    // Removes and returns an unwanted frame, whose buffer the caller frees.
    std::optional<Frame> take_unwanted() { return arrivals_.take_unwanted(); }
    // As `hear` while the switch shuts down: processes answers only.
    void hear_answer(std::span<const uint8_t> octets, Nanos now) {
        const auto shim = read_retry_shim(octets);
        if (shim && shim->kind != RetryKind::data && shim->kind != RetryKind::begin) {
            heed(octets, *shim, now);
        }
    }

    // Ends reception, since no worker uses this end any more. `take_unwanted` then returns the
    // frames that this end holds. Queued frames were acknowledged, and count as abandoned.
    void abandon() {
        receiver_.end();
        tally_.abandoned += arrivals_.waiting();
        arrivals_.forget_all();
    }
    // Ends both directions, and gives up the kept frames.
    void stop() {
        give_up();
        sender_.end();
        abandon();
        show();
    }

    // --- state for readers ----------------------------------------------------------------------
    // Whether no frame, answer or request waits here.
    [[nodiscard]] bool at_rest() const {
        return sender_.kept() == 0 && !answer_ && unknown_ == 0 && !asks_ && !receiver_.owes() &&
               !arrivals_.has_waiting();
    }
    void show() {
        watch_.show(sender_, receiver_, tally_);
        watch_.without_number.store(without_number(), std::memory_order_relaxed);
        watch_.used.set(static_cast<uint64_t>(buffer_.used().count()));
        watch_.most_used.set(static_cast<uint64_t>(buffer_.most_used().count()));
        watch_.kept_bytes.set(static_cast<uint64_t>(arrivals_.used().count()));
        watch_.most_kept_bytes.set(static_cast<uint64_t>(arrivals_.most_used().count()));
    }
    void clear_watermark() {
        buffer_.clear_watermark();
        arrivals_.clear_watermark();
    }
    [[nodiscard]] const RetryWatch& watch() const { return watch_; }
    [[nodiscard]] const RetrySender& sender() const { return sender_; }
    [[nodiscard]] const RetryReceiver& receiver() const { return receiver_; }
    [[nodiscard]] const RetryTally& tally() const { return tally_; }

  private:
    static constexpr Nanos patience{200'000'000};
    static constexpr Bytes shortest{retry_shim_octets + 14};

    [[nodiscard]] bool has_room(Bytes longest) const {
        return sender_.may_send() &&
               buffer_.has_room(retry_shim_octets + static_cast<std::size_t>(longest.count()));
    }
    // Returns the class of `priority`, which is empty or holds one priority.
    static uint8_t class_of(PrioritySet priority) {
        return priority == 0 ? ReplayQueue::never_paused : highest(priority);
    }
    static ReplayQueue::Classes classes_of(PrioritySet priorities) { return priorities; }
    // Stops the timers while a pause holds the oldest frame, which waits to be resent. If the
    // watchdog drops a paused priority that has frames to resend, begins a new session, so that
    // these frames do not delay other priorities.
    void wait_for_pause(ReplayQueue::Classes discarded, Nanos now) {
        const Nanos since = std::exchange(followed_, now);
        const auto waits = static_cast<ReplayQueue::Classes>(sender_.classes_to_replay() & paused_);
        if ((waits & discarded) != 0) {
            begin(now);
        } else if ((sender_.class_of_oldest() & paused_) != 0) {
            sender_.wait(now - since);
        }
    }
    // Accepts the kept frames that follow the last accepted one.
    void go_on(Nanos now) {
        while (receiver_.has_next_kept()) {
            const RetrySequence number = receiver_.expected();
            receiver_.next_kept(arrivals_.wait(number), now);
        }
    }
    void end_receiving() {
        receiver_.end();
        arrivals_.forget();
    }
    // Gives up the kept frames and begins a session. The first session's number is derived from the
    // time and the port's address, so that it differs from those of an earlier process. Each later
    // session increments it, so that the peer recognizes a late request.
    void begin(Nanos now) {
        give_up();
        refused_since_.reset();
        has_flushed_ |= is_open() || sender_.state() == RetrySender::State::flush;
        const uint64_t seed = Random(source_.bits).next() + static_cast<uint64_t>(now.count());
        const uint32_t last = sender_.session();
        sender_.begin(std::max(last == 0 ? Random(seed).next() : last + 1, 1U));
        asks_ = false;
    }
    void give_up() {
        tally_.given_up += buffer_.count();
        buffer_.release(buffer_.count());
    }
    void heed(std::span<const uint8_t> octets, const RetryShim& shim, Nanos now) {
        const bool is_own =
            sender_.state() != RetrySender::State::off && shim.session == sender_.session();
        switch (shim.kind) {
            case RetryKind::begin:
                if (!is_able_ && receiver_.state() == RetryReceiver::State::off) {
                    ++tally_.strays;
                } else if (!receiver_.begin(shim.session)) {
                    ++tally_.strays;
                    unknown_ = shim.session;
                } else if (receiver_.kept() == 0) {
                    arrivals_.forget();  // frames of the session before
                }
                return;
            case RetryKind::unknown:
                if (is_own) {
                    begin(now);
                } else {
                    ++tally_.strays;
                }
                return;
            default:
                buffer_.release(sender_.answered(read_retry_answer(octets, shim), now));
        }
    }
    Heard arrived(const RetryShim& shim, Nanos now) {
        const bool has_room = arrivals_.has_room(shim.length);
        const bool waits = arrivals_.must_wait(shim.traffic_class);
        switch (receiver_.arrived(shim.session,
                                  {.number = shim.number,
                                   .order = shim.order,
                                   .octets = Bytes(shim.length),
                                   .may_take = !waits || has_room,
                                   .may_keep = has_room},
                                  now)) {
            case RetryReceiver::Verdict::take:
                is_next_ = true;
                class_ = shim.traffic_class;
                if (waits) return Heard::keep;
                go_on(now);
                return Heard::frame;
            case RetryReceiver::Verdict::keep:
                is_next_ = false;
                class_ = shim.traffic_class;
                number_ = shim.number;
                return Heard::keep;
            case RetryReceiver::Verdict::other:
                ++tally_.strays;
                unknown_ = shim.session;
                return Heard::done;
            default:
                return Heard::done;
        }
    }
    std::span<const uint8_t> written(const RetryShim& shim) {
        signal_.fill(0);
        write_retry_shim(std::span(signal_).first<retry_shim_octets>(), source_, shim);
        return std::span(signal_).first<retry_signal_octets>();
    }

    ReplayBuffer buffer_;
    ResequenceBuffer arrivals_;
    RetrySender sender_;
    RetryReceiver receiver_;
    PrioritySet priorities_ = 0;
    MacAddress source_;
    Nanos followed_;
    std::optional<RetrySequence> next_again_;
    std::optional<Nanos> refused_since_;  // since when the device refuses the next resend
    ReplayQueue::Classes paused_ = 0;     // classes that the peer pauses
    bool is_next_ = false;                // whether the frame to `keep` has the expected number
    uint8_t class_ = 0;                   // class of the frame to `keep`
    RetrySequence number_;                // number of the frame to `keep`; not set if `is_next_`
    uint32_t chosen_ = 0;                 // frames numbered since the last call of `numbered`
    RetryAction init_ = RetryAction::best_effort;
    RetryAction flush_ = RetryAction::best_effort;
    bool is_able_ = false;
    bool may_begin_ = false;    // whether the link is up and its peer may support retry
    bool has_flushed_ = false;  // whether a session of this link has ended
    // The signals that wait to be sent to the peer.
    bool asks_ = false;                  // a request to begin
    std::optional<RetryAnswer> answer_;  // an answer
    uint32_t unknown_ = 0;               // number of a session that this end does not know; 0: none
    std::array<uint8_t, longest_retry_signal> signal_{};
    RetryTally tally_;
    RetryWatch watch_;
};

}  // namespace sluice
