// PortRetry: link-level retry at one port, both ways: it numbers the frames of some priorities and
// keeps them until the peer acknowledges them, takes those of the peer once and in order, and says
// which came. What goes on the wire are retry_shim.h's octets; who asks when is poll_retry.h.
//
// Place. It stands between the queues of a port and its device, in the worker that polls both. So
// VOQs, pauses, shapers and credit see a link that loses nothing: a frame that may not go yet waits
// in its egress queue, and what waits there fills the VOQs behind it and pauses who feeds them.
// Pause frames, LLDP and lossy priorities pass beside it; updates of credit go with the frames that
// they count (`number`).
//
// Sessions. Each direction has its own, which its sender begins once LLDP says that the peer can do
// it, and asks for each `replay_timer` until the peer answers. Until then, and where the peer has
// none, frames go as they are (`unnumbered`). An open session goes on if LLDP falls silent.
//   NACK                 what did not come goes again, the oldest first and ahead of new frames.
//                        What the peer pauses does not: it waits for the end of its pause, and
//                        what is behind it at the peer waits with it, as numbers are one sequence
//   replay timer         the oldest goes again, by which the peer finds out what else is missing
//   replay_count_max, data_age, a peer that is in another session, as it began anew
//                        what is kept is given up and counted (`given_up`), and a session begins
//                        anew, and what was given up never comes late
//   link down, or LLDP says that the peer has none
//                        the same, and no session is until that changes
// What has no number goes as it is, waits, or is dropped (`without_number`), as the settings say of
// a link before its first session, and after the end of one. Where LLDP says that there is no peer
// to have one with, it goes as it is.
// What comes behind a gap is kept until that is filled (resequence_buffer.h), and is acknowledged
// then. By then the switch may be full, so what was kept enters it only while its priority is not
// paused, and what comes behind it waits with it, as on the link. Without a resequence buffer it is
// dropped, and comes again.
//
// Bound: O(1) a frame, one copy of it by who sends; the buffers, which `settings` size. While the
// replay buffer is full frames wait; what finds the resequence buffer full is to come again.
// What it does not: keep pause frames from loss, tell a forged frame from the peer's (a session's
// number is all that there is), or know whether what was given up has arrived.
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
        other,  // it is no frame of retry
        frame,  // the frame inside is the next
        keep,   // the frame inside is to be handed to `keep`
        done,   // it says something to this end, or its frame is not to be taken
    };
    // What the port is, and what is known of its peer.
    struct Link {
        bool is_up = false;
        LinkPeer peer = LinkPeer::unknown;
        PrioritySet priorities = 0;  // whose frames are numbered
        PrioritySet paused = 0;      // by the peer
        PrioritySet discarded = 0;   // by the watchdog, in a storm of pauses
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

    // Times, counts and actions from now on; the buffer stays.
    void use(const RetrySettings& settings) {
        init_ = settings.init;
        flush_ = settings.flush;
        sender_.use(settings.replay_timer, settings.replay_count_max, settings.data_age);
    }
    // Once a poll, before anything else.
    void follow(const Link& link, Nanos now) {
        // While numbers count, none is taken out: its next frame would overtake what goes again.
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

    // --- what it sends --------------------------------------------------------------------------
    // Priorities whose frames wait now; those that are `discarded` are dropped where they wait.
    [[nodiscard]] PrioritySet held(Bytes longest) {
        const bool are_held = is_open() ? !has_room(longest) || sender_.to_replay(paused_)
                                        : without_number() != RetryAction::best_effort;
        return are_held ? priorities_ : PrioritySet{0};
    }
    [[nodiscard]] PrioritySet discarded() const {
        return without_number() == RetryAction::discard ? priorities_ : PrioritySet{0};
    }
    // What becomes of frames of its priorities that have no number; of an open session none has.
    [[nodiscard]] RetryAction without_number() const {
        if (is_open() || !may_begin_) return RetryAction::best_effort;
        const bool has_ended = sender_.state() == RetrySender::State::flush;
        return has_ended || has_flushed_ ? flush_ : init_;
    }
    // Whether a frame of `priority` goes with a number.
    [[nodiscard]] bool numbers(Priority priority) const {
        return is_open() && is_of_its_priorities(priority);
    }
    [[nodiscard]] bool is_of_its_priorities(Priority priority) const {
        return (priorities_ & only_priority(priority)) != 0;
    }
    [[nodiscard]] bool is_open() const { return sender_.is_open(); }
    // What goes before the frame, of which a copy is kept: its number. Empty: it waits. Call
    // `numbered` with how many of those since the last call the device took, from the first on.
    // `priority`: its own alone, or none for a frame that no pause holds.
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
    // The newest of those that were numbered, with its number, as it goes.
    [[nodiscard]] std::span<const uint8_t> newest() { return buffer_.frame(buffer_.count() - 1); }
    // A frame of its priorities goes as it is.
    void went_without() { ++tally_.unnumbered; }

    // What is to be said to the peer: an answer, or a question. Empty: nothing. Call `signal_sent`
    // once the device took it.
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
    // The next frame to be sent again, ahead of new ones, and its priority alone, or none. Without
    // octets: there is none, or all are of priorities that are `paused`. Call `replayed` once the
    // device took it.
    struct Again {
        std::span<const uint8_t> octets;
        PrioritySet priority = 0;
    };
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
    // Priorities of which a frame is to go again.
    [[nodiscard]] PrioritySet to_replay() const {
        return static_cast<PrioritySet>(sender_.classes_to_replay());  // less what is of none
    }
    // The device, which took that frame once, says that it never takes it again. A kernel under
    // pressure says so for a while, an interface whose MTU was lowered for good: then all that is
    // kept is given up.
    void cannot_go(Nanos now) {
        if (!refused_since_) refused_since_ = now;
        if (now - *refused_since_ >= patience) begin(now);
    }

    // --- what it receives -----------------------------------------------------------------------
    // With `frame` and `keep`, `length` octets behind the shim are it.
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
    // The frame of which the last `hear` said so, in a buffer of its own.
    void keep(const Frame& frame, Nanos now) {
        if (!is_next_) return arrivals_.keep(number_, frame, class_);
        arrivals_.wait(frame, class_);
        go_on(now);
    }
    // A frame without a number: true if it waits now behind its priority, for which there is room.
    bool wait(const Frame& frame, Priority priority) {
        if (!arrivals_.must_wait(priority) || !arrivals_.has_room(frame.length)) return false;
        arrivals_.wait(frame, priority);
        return true;
    }
    // The next frame that enters the switch now, of those that were kept; none of a priority that
    // is `full`.
    std::optional<Frame> enter(PrioritySet full) { return arrivals_.take(classes_of(full)); }
    [[nodiscard]] bool has_waiting() const { return arrivals_.has_waiting(); }
    // Whose buffer is to be freed, of those that are not wanted any more.
    std::optional<Frame> take_unwanted() { return arrivals_.take_unwanted(); }
    // As `hear`, of a switch that takes nothing more in: what is kept may still be acknowledged.
    void hear_answer(std::span<const uint8_t> octets, Nanos now) {
        const auto shim = read_retry_shim(octets);
        if (shim && shim->kind != RetryKind::data && shim->kind != RetryKind::begin) {
            heed(octets, *shim, now);
        }
    }

    // No worker has it any more, or will have: frames are nobody's, whose buffers `take_unwanted`
    // has; of those some were acknowledged.
    void abandon() {
        receiver_.end();
        tally_.abandoned += arrivals_.waiting();
        arrivals_.forget_all();
    }
    // At the very end: what is kept then is given up.
    void stop() {
        give_up();
        sender_.end();
        abandon();
        show();
    }

    // --- what there is --------------------------------------------------------------------------
    // Whether nothing is to be done here before a frame comes.
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
    // Of no priority, or one alone.
    static uint8_t class_of(PrioritySet priority) {
        return priority == 0 ? ReplayQueue::never_paused : highest(priority);
    }
    static ReplayQueue::Classes classes_of(PrioritySet priorities) { return priorities; }
    // No time counts while the oldest is to go again and is paused. Once the watchdog drops what
    // comes for its priority, it is given up, and so no longer in the way of the others.
    void wait_for_pause(ReplayQueue::Classes discarded, Nanos now) {
        const Nanos since = std::exchange(followed_, now);
        const auto waits = static_cast<ReplayQueue::Classes>(sender_.classes_to_replay() & paused_);
        if ((waits & discarded) != 0) {
            begin(now);
        } else if ((sender_.class_of_oldest() & paused_) != 0) {
            sender_.wait(now - since);
        }
    }
    // Frames that follow the last one, and are here.
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
    // The first session has its number from when it begins, and where, so that no earlier run had
    // it; each later one has the next, by which the peer knows a question that comes late.
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
                    arrivals_.forget();  // of the session before
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
    std::optional<Nanos> refused_since_;  // what goes again next
    ReplayQueue::Classes paused_ = 0;     // by the peer
    // Of the frame that is to be kept: whether it is the next, and else its number.
    bool is_next_ = false;
    uint8_t class_ = 0;
    RetrySequence number_;
    uint32_t chosen_ = 0;  // frames that were numbered, and that the device has not taken yet
    RetryAction init_ = RetryAction::best_effort;
    RetryAction flush_ = RetryAction::best_effort;
    bool is_able_ = false;
    bool may_begin_ = false;             // a session, as far as LLDP knows
    bool has_flushed_ = false;           // one of this link has ended
    bool asks_ = false;                  // the receiver to begin, as soon as the device takes it
    std::optional<RetryAnswer> answer_;  // likewise
    uint32_t unknown_ = 0;               // likewise, a session that it is not in
    std::array<uint8_t, longest_retry_signal> signal_{};
    RetryTally tally_;
    RetryWatch watch_;
};

}  // namespace sluice
