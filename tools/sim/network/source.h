// Source: one flow of a sender to one or several receivers: when its next frame is due, how long it
// is and to whom it goes.
//
//   back to back   always due; a script of lengths may come first, and may be all
//   at a pace      due when its schedule says (pace.h)
//   in messages    octets that are posted are cut into frames, the last as short as it may be;
//                  back to back or at a rate of the wire, one message after the other
// A rate control may delay it further (rate_control.h). With a recovery (recovery.h), lost frames
// are sent again, ahead of new ones; the source has one receiver then.
// Bound: 24 octets a receiver.
// Not done here: pauses, and turns among sources (sender.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/random.h"
#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/frame_layout.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"
#include "tools/sim/network/recovery.h"

namespace sluice::sim {

// Lengths with FCS, as the standards count them; each is as likely as any other.
struct Mix {
    int64_t shortest;
    int64_t longest;
};

// Octets to send from `due` on.
struct Message {
    Picos due;
    Bytes left;
};

struct MessageSettings {
    BitsPerSecond rate{0};  // of the wire, overhead counted
    Bytes carried{0};       // of a message in a frame
    Bytes around{0};        // and what else the frame has, FCS counted
    // The first that nobody posts, and again every `period`, if any, until `stop`.
    std::optional<Message> first{};
    Picos period;
    Picos stop{INT64_MAX};
};

struct Flow {
    MacAddress to;
    Priority priority = 0;         // whose pauses and credit it obeys
    std::optional<uint8_t> pcp{};  // in its tag; nothing: the priority
    Mix mix{64, 64};
    std::vector<int64_t> script{};  // lengths with FCS that come before all others
    bool stops_after_script = false;
    std::optional<PaceSettings> pace{};  // else back to back, or in messages
    std::optional<MessageSettings> messages{};
    FrameFormat format{};
    uint8_t traffic_class = 0;  // where the format has one
    bool tagged = true;
    bool ip = false;   // IPv4
    bool ecn = false;  // and can be marked
    MacAddress answers_to{};
    uint16_t source_port = 0;  // of UDP, behind IPv4; 0: there is none
    uint16_t row = no_row;
    Picos transmit{};              // from when a frame is due until the wire may have it
    std::optional<Picos> again{};  // lost frames are sent again after so long without an answer
    bool any_order = false;        // and taken in any order (selective.h), not by Go-Back-N
    uint8_t dscp = 0;              // of IPv4
    CsigStart csig{};              // that each frame begins with
};

// One of the stations that receive a flow's frames, each numbered as a flow of its own.
struct Target {
    MacAddress to;
    uint32_t number;
};

class alignas(64) Source {
  public:
    static constexpr Bytes shortest_frame{64};

    // The number of the source in its frames, and the serial of its first frame.
    struct Identity {
        uint32_t pair;
        uint64_t serial = 0;
    };
    Source(Flow flow, const std::vector<Target>& targets, MacAddress from, const Identity& identity,
           uint64_t seed, std::unique_ptr<RateControl> control);

    [[nodiscard]] Priority priority() const { return priority_; }
    [[nodiscard]] uint16_t row() const { return row_; }
    [[nodiscard]] uint32_t pair() const { return pair_; }
    // The serial of its next new frame, for a source with one receiver.
    [[nodiscard]] uint64_t serial() const { return ways_.front().serial; }
    // Ends the source: it sends nothing more, and acknowledgements change nothing.
    void close() {
        messages_.clear();
        next_message_ = 0;
        control_.reset();
        recovery_.reset();
    }
    // When its next frame is; Schedule::never: there is none.
    [[nodiscard]] Picos due() const { return repeats() ? Picos{} : new_due(); }
    // The later of `due` and the time at which the rate control lets the frame leave, as far as
    // known; or when the source has to be checked again.
    [[nodiscard]] Picos ready_at(Picos now) const {
        const Picos at = let_at(now);
        return recovery_ ? std::min(at, recovery_->timer()) : at;
    }
    // The most that its next frame may be; 0: there is none.
    [[nodiscard]] Bytes longest() const {
        if (repeats()) return recovery_->repeated().length;
        if (chosen_ != 0) return Bytes(chosen_);
        if (scripted_ < flow_.script.size()) return Bytes(flow_.script[scripted_]);
        return Bytes(flow_.stops_after_script ? 0 : flow_.mix.longest);
    }
    // True if the rate control lets the due frame leave.
    bool is_let(Random& random, Picos now) {
        return !control_ || (choose(random) && let_at(now) <= now);
    }
    // Makes frames due again that have waited too long for an acknowledgement.
    void expire(Picos now) {
        if (recovery_ && recovery_->expire(now) && control_) control_->on_timeout();
    }
    // Chooses the next frame's length, which stands until it is taken; false: there is none.
    bool choose(Random& random);
    // Fills the packet with the frame that is chosen, which leaves now.
    void take(Packet& packet, Picos now);

    void post(const Message& message) { messages_.push_back(message); }
    void congested(Picos now) {
        if (control_) control_->congested(now);
    }
    void acknowledged(const FrameReport& report, Picos now) {
        if (control_) control_->acknowledged(report, now);
        if (recovery_ && report.pull != Pull::is_this) recovery_->on_answer(report, now);
    }
    // Octets that are due by now and have not left: of messages, or of the wire.
    [[nodiscard]] Bytes backlog(Picos now) const;

  private:
    struct Way {
        MacAddress to;
        uint64_t serial;
        uint32_t number;
    };

    [[nodiscard]] bool repeats() const { return recovery_ && recovery_->repeats(); }
    [[nodiscard]] Picos let_at(Picos now) const {
        const Picos at = due();
        if (at > now || !control_) return at;
        return control_->ready_at(longest(), now);
    }
    // When the next frame is due that has not been sent before.
    [[nodiscard]] Picos new_due() const {
        if (is_paced_) return ready_for_wire(schedule_->due());
        if (!flow_.messages) return {};
        if (next_message_ == messages_.size()) return Schedule::never;
        return std::max(ready_for_wire(messages_[next_message_].due), not_before_);
    }
    [[nodiscard]] Picos ready_for_wire(Picos due) const {
        return due == Schedule::never ? due : due + transmit_;
    }
    // Returns the part of the message that the next frame carries.
    [[nodiscard]] Bytes part_of_message() const {
        return std::min(messages_[next_message_].left, flow_.messages->carried);
    }
    Way& next_way();
    void fill(Packet& packet, Picos now);
    void take_new(Packet& packet, Picos now);
    void advance_message(Bytes on_wire, Picos now);

    // Members that each frame needs, in three cache lines with the front of the schedule.
    FrameHeader header_;     // to the first of its receivers
    uint16_t row_;           // as the flow has it
    uint16_t fixed_length_;  // of all its frames; 0: they differ
    Priority priority_;      // as the flow has it
    uint8_t csig_octets_;    // likewise
    bool is_paced_ : 1;      // it has a schedule
    bool has_ip_ : 1;
    bool draws_receiver_ : 1;
    bool begins_with_address_ : 1;  // of the receiver
    std::vector<Way> ways_;
    Picos transmit_;  // likewise of the flow
    int64_t chosen_ = 0;
    Bytes through_;  // that it has sent of the wire
    std::unique_ptr<RateControl> control_;
    std::unique_ptr<Recovery> recovery_;
    std::optional<Schedule> schedule_;
    Flow flow_;
    uint32_t pair_;
    std::size_t way_ = 0;
    std::size_t scripted_ = 0;       // of the script, taken
    std::vector<Message> messages_;  // from next_message_ on
    std::size_t next_message_ = 0;
    FrameTime message_gap_;
    Picos not_before_;  // of messages, at their rate
};

}  // namespace sluice::sim
