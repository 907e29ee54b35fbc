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
//   replay timer, NACK   all that is kept goes again, the oldest first, and nothing new meanwhile
//   replay_count_max, data_age, a peer that is in another session, as it began anew
//                        what is kept is given up and counted (`given_up`), and a session begins
//                        anew, and what was given up never comes late
//   link down, or LLDP says that the peer has none
//                        the same, and no session is until that changes
// What has no number goes as it is, waits, or is dropped (`without_number`), as the settings say of
// a link before its first session, and after the end of one. Where LLDP says that there is no peer
// to have one with, it goes as it is.
// A receiver keeps nothing: what comes behind a gap comes again.
//
// Bound: O(1) a frame, one copy of it; the replay buffer, which `settings` size. When it is full
// frames wait. What it does not: keep pause frames from loss, tell a forged frame from the peer's
// (a session's number is all that there is), or know whether what was given up has arrived.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "dataplane/retry/replay_buffer.h"
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
          sender_({.most_frames = static_cast<uint32_t>(
                       std::min<std::size_t>(buffer_.most(), RetrySequence::most_waiting - 1)),
                   .replay_timer = settings.replay_timer,
                   .data_age = settings.data_age,
                   .replay_count_max = settings.replay_count_max,
                   .doublings = 6}),
          receiver_({.ack_octets = Bytes(16 * 1024),
                     .ack_delay = Nanos(10'000),
                     .nack_delay = Nanos(100'000)}) {}

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
            receiver_.end();
            answer_.reset();
            unknown_ = 0;
        } else if (is_able_ && sender_.state() == RetrySender::State::off) {
            begin(now);
        }
        wait_for_pause(link, now);
        sender_.look(now);
        if (sender_.state() == RetrySender::State::flush) begin(now);
    }

    // --- what it sends --------------------------------------------------------------------------
    // Priorities whose frames wait now; those that are `discarded` are dropped where they wait.
    [[nodiscard]] PrioritySet held(Bytes longest) const {
        const bool are_held =
            is_open() ? !has_room(longest) : without_number() != RetryAction::best_effort;
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
    [[nodiscard]] bool is_open() const {
        return sender_.state() == RetrySender::State::advance ||
               sender_.state() == RetrySender::State::replay;
    }
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
                          .number = sender_.next().after(chosen_),
                          .round = sender_.round(),
                          .length = static_cast<uint16_t>(frame.size())});
        std::ranges::copy(frame, room.begin() + retry_shim_octets);
        buffer_.keep(room.size(), priority);
        ++chosen_;
        return shim;
    }
    void numbered(std::size_t sent, Nanos now) {
        buffer_.take_back(std::exchange(chosen_, 0) - sent);
        for (; sent > 0; --sent) sender_.send(now);
    }
    // The newest of those that were numbered, with its number, as it goes.
    [[nodiscard]] std::span<const uint8_t> newest() { return buffer_.frame(buffer_.count() - 1); }
    // A frame of its priorities goes as it is.
    void went_without() { ++tally_.unnumbered; }

    // What is to be said to the peer: an answer, or a question. Empty: nothing. Call `signal_sent`
    // once the device took it.
    [[nodiscard]] std::span<const uint8_t> signal(Nanos now) {
        if (!answer_) answer_ = receiver_.answer(now);
        if (answer_) {
            return written({.kind = answer_->again ? RetryKind::nack : RetryKind::ack,
                            .session = answer_->session,
                            .number = answer_->sequence,
                            .round = answer_->round});
        }
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
    // The frame that is to go again now, ahead of new ones. Empty: none, or it is of a priority
    // that is `paused`. Call `replayed` once the device took it.
    [[nodiscard]] std::span<const uint8_t> replay(PrioritySet paused) {
        const auto again = sender_.to_replay();
        if (!again || (priority_of(*again) & paused) != 0) return {};
        const std::span<uint8_t> frame = buffer_.frame(again->since(sender_.oldest()));
        write_retry_round(frame.first<retry_shim_octets>(), *again, sender_.round());
        return frame;
    }
    void replayed(Nanos now) {
        refused_since_.reset();
        sender_.replayed(now);
    }
    // The priority of that frame alone, or none.
    [[nodiscard]] PrioritySet to_replay() const {
        const auto again = sender_.to_replay();
        return again ? priority_of(*again) : PrioritySet{0};
    }
    // The device, which took that frame once, says that it never takes it again. A kernel under
    // pressure says so for a while, an interface whose MTU was lowered for good: then all that is
    // kept is given up.
    void cannot_go(Nanos now) {
        if (!refused_since_) refused_since_ = now;
        if (now - *refused_since_ >= patience) begin(now);
    }

    // --- what it receives -----------------------------------------------------------------------
    // With `frame`, `length` octets behind the shim are it.
    Heard hear(std::span<const uint8_t> octets, uint16_t& length, Nanos now) {
        if (!is_of_retry(octets)) return Heard::other;
        const auto shim = read_retry_shim(octets);
        if (!shim) {
            ++tally_.malformed;
            return Heard::done;
        }
        if (shim->kind != RetryKind::data) {
            heed(*shim, now);
            return Heard::done;
        }
        length = shim->length;
        return arrived(*shim, now) ? Heard::frame : Heard::done;
    }
    // As `hear`, of a switch that takes nothing more in: what is kept may still be acknowledged.
    void hear_answer(std::span<const uint8_t> octets, Nanos now) {
        const auto shim = read_retry_shim(octets);
        if (shim && shim->kind != RetryKind::data && shim->kind != RetryKind::begin) {
            heed(*shim, now);
        }
    }

    // At the very end: what is kept then is given up.
    void stop() {
        give_up();
        sender_.end();
        receiver_.end();
        show();
    }

    // --- what there is --------------------------------------------------------------------------
    // Whether nothing is to be done here before a frame comes.
    [[nodiscard]] bool at_rest() const {
        return sender_.kept() == 0 && !answer_ && unknown_ == 0 && !asks_ && !receiver_.owes();
    }
    void show() {
        watch_.show(sender_, receiver_, tally_);
        watch_.without_number.store(without_number(), std::memory_order_relaxed);
        watch_.used.set(static_cast<uint64_t>(buffer_.used().count()));
        watch_.most_used.set(static_cast<uint64_t>(buffer_.most_used().count()));
    }
    void clear_watermark() { buffer_.clear_watermark(); }
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
    [[nodiscard]] PrioritySet priority_of(RetrySequence number) const {
        return buffer_.priority(number.since(sender_.oldest()));
    }
    // No time counts while the next frame that is to go again is paused. Once the watchdog drops
    // what comes for its priority, it is given up, and so no longer in the way of the others.
    void wait_for_pause(const Link& link, Nanos now) {
        const Nanos since = std::exchange(followed_, now);
        const auto again = sender_.to_replay();
        if (!again || (priority_of(*again) & link.paused) == 0) return;
        if ((priority_of(*again) & link.discarded) != 0) {
            begin(now);
        } else {
            sender_.wait(now - since);
        }
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
    void heed(const RetryShim& shim, Nanos now) {
        const bool is_own =
            sender_.state() != RetrySender::State::off && shim.session == sender_.session();
        switch (shim.kind) {
            case RetryKind::begin:
                if (!is_able_ && receiver_.state() == RetryReceiver::State::off) {
                    ++tally_.strays;
                } else if (!receiver_.begin(shim.session)) {
                    ++tally_.strays;
                    unknown_ = shim.session;
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
                buffer_.release(sender_.answered({.session = shim.session,
                                                  .again = shim.kind == RetryKind::nack,
                                                  .sequence = shim.number,
                                                  .round = shim.round},
                                                 now));
        }
    }
    bool arrived(const RetryShim& shim, Nanos now) {
        switch (receiver_.arrived(shim.session, shim.number, shim.round, Bytes(shim.length), now)) {
            case RetryReceiver::Verdict::take:
                return true;
            case RetryReceiver::Verdict::other:
                ++tally_.strays;
                unknown_ = shim.session;
                return false;
            default:
                return false;
        }
    }
    std::span<const uint8_t> written(const RetryShim& shim) {
        write_retry_shim(std::span(signal_).first<retry_shim_octets>(), source_, shim);
        return signal_;
    }

    ReplayBuffer buffer_;
    RetrySender sender_;
    RetryReceiver receiver_;
    PrioritySet priorities_ = 0;
    MacAddress source_;
    Nanos followed_;
    std::optional<Nanos> refused_since_;  // what goes again next
    uint32_t chosen_ = 0;  // frames that were numbered, and that the device has not taken yet
    RetryAction init_ = RetryAction::best_effort;
    RetryAction flush_ = RetryAction::best_effort;
    bool is_able_ = false;
    bool may_begin_ = false;             // a session, as far as LLDP knows
    bool has_flushed_ = false;           // one of this link has ended
    bool asks_ = false;                  // the receiver to begin, as soon as the device takes it
    std::optional<RetryAnswer> answer_;  // likewise
    uint32_t unknown_ = 0;               // likewise, a session that it is not in
    std::array<uint8_t, retry_signal_octets> signal_{};
    RetryTally tally_;
    RetryWatch watch_;
};

}  // namespace sluice
