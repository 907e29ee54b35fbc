// Source: one flow of a sender to one or several receivers: when its next frame is due, its length
// and its receiver.
//
//   back to back   always due; a script of lengths may come first, or be all frames
//   at a pace      due by its schedule (pace.h)
//   in messages    posted octets are cut into frames, the last as short as possible; back to back
//                  or at a rate on the wire, one message after the other
// A rate control may delay a frame further (rate_control.h). With a recovery (recovery.h), lost
// frames are resent before new ones; then the source has one receiver.
// Bound: 24 octets for each receiver.
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

// Lengths with FCS, as the standards count them; all are equally likely.
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
    BitsPerSecond rate{0};  // rate on the wire, with overhead
    Bytes carried{0};       // octets of a message in each frame
    Bytes around{0};        // other octets of the frame, including FCS
    // A message that needs no post. It is sent again every `period` (0: only once) until `stop`.
    std::optional<Message> first{};
    Picos period;
    Picos stop{INT64_MAX};
};

struct Flow {
    MacAddress to;
    Priority priority = 0;         // priority whose pauses and credit apply to the flow
    std::optional<uint8_t> pcp{};  // PCP in the tag; if none, the priority
    Mix mix{64, 64};
    std::vector<int64_t> script{};  // lengths with FCS of the first frames
    bool stops_after_script = false;
    std::optional<PaceSettings> pace{};  // if none: back to back, or in messages
    std::optional<MessageSettings> messages{};
    FrameFormat format{};
    uint8_t traffic_class = 0;  // only in formats that have one
    bool tagged = true;
    bool ip = false;   // the frames have an IPv4 header
    bool ecn = false;  // IPv4 with ECT(0)
    MacAddress answers_to{};
    uint16_t source_port = 0;  // of UDP after IPv4; 0 without UDP
    uint16_t row = no_row;
    Picos transmit{};              // time from a frame's due time until it may be sent
    std::optional<Picos> again{};  // timeout after which lost frames are resent; none: never
    bool any_order = false;        // accepted in any order (selective.h), not by Go-Back-N
    uint8_t dscp = 0;              // of the IPv4 header
    CsigStart csig{};              // tag that each frame is sent with
};

// A receiver of a flow, and the flow number in the frames to that receiver.
struct Target {
    MacAddress to;
    uint32_t number;
};

class alignas(64) Source {
  public:
    static constexpr Bytes shortest_frame{64};

    // Number of the source in its frames, and the serial of its first frame.
    struct Identity {
        uint32_t pair;
        uint64_t serial = 0;
    };
    Source(Flow flow, const std::vector<Target>& targets, MacAddress from, const Identity& identity,
           uint64_t seed, std::unique_ptr<RateControl> control);

    [[nodiscard]] Priority priority() const { return priority_; }
    [[nodiscard]] uint16_t row() const { return row_; }
    [[nodiscard]] uint32_t pair() const { return pair_; }
    // Returns the serial of the next new frame of a source with one receiver.
    [[nodiscard]] uint64_t serial() const { return ways_.front().serial; }
    // Ends the source: it sends nothing more and ignores acknowledgements.
    void close() {
        messages_.clear();
        next_message_ = 0;
        control_.reset();
        recovery_.reset();
    }
    // Returns when the next frame is due; Schedule::never if there is none.
    [[nodiscard]] Picos due() const { return repeats() ? Picos{} : new_due(); }
    // Returns when the next frame may be sent, by schedule and rate control, as known now; or an
    // earlier time at which the source has to be checked again.
    [[nodiscard]] Picos ready_at(Picos now) const {
        const Picos at = let_at(now);
        return recovery_ ? std::min(at, recovery_->timer()) : at;
    }
    // Returns the longest length that the next frame may have; 0 if there is no next frame.
    [[nodiscard]] Bytes longest() const {
        if (repeats()) return recovery_->repeated().length;
        if (chosen_ != 0) return Bytes(chosen_);
        if (scripted_ < flow_.script.size()) return Bytes(flow_.script[scripted_]);
        return Bytes(flow_.stops_after_script ? 0 : flow_.mix.longest);
    }
    // Whether the rate control allows the due frame to be sent.
    bool is_let(Random& random, Picos now) {
        return !control_ || (choose(random) && let_at(now) <= now);
    }
    // Makes frames due again that were not acknowledged in time.
    void expire(Picos now) {
        if (recovery_ && recovery_->expire(now) && control_) control_->on_timeout();
    }
    // Chooses the length of the next frame, and keeps it until `take`. Returns false if there is no
    // next frame.
    bool choose(Random& random);
    // Fills the packet with the chosen frame, which is sent now.
    void take(Packet& packet, Picos now);

    void post(const Message& message) { messages_.push_back(message); }
    void congested(Picos now) {
        if (control_) control_->congested(now);
    }
    void acknowledged(const FrameReport& report, Picos now) {
        if (control_) control_->acknowledged(report, now);
        if (recovery_ && report.pull != Pull::is_this) recovery_->on_answer(report, now);
    }
    // Returns the octets that are due by now and have not been sent: of messages, or on the wire.
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
    // Returns when the next frame is due that has not been sent before.
    [[nodiscard]] Picos new_due() const {
        if (is_paced_) return ready_for_wire(schedule_->due());
        if (!flow_.messages) return {};
        if (next_message_ == messages_.size()) return Schedule::never;
        return std::max(ready_for_wire(messages_[next_message_].due), not_before_);
    }
    [[nodiscard]] Picos ready_for_wire(Picos due) const {
        return due == Schedule::never ? due : due + transmit_;
    }
    // Returns the octets of the message that the next frame carries.
    [[nodiscard]] Bytes part_of_message() const {
        return std::min(messages_[next_message_].left, flow_.messages->carried);
    }
    Way& next_way();
    void fill(Packet& packet, Picos now);
    void take_new(Packet& packet, Picos now);
    void advance_message(Bytes on_wire, Picos now);

    // Members that each frame needs are in three cache lines with the front of the schedule.
    FrameHeader header_;     // with the address of the first receiver
    uint16_t row_;           // copied from the flow
    uint16_t fixed_length_;  // length of all frames; 0 if they differ
    Priority priority_;      // copied from the flow
    uint8_t csig_octets_;    // copied from the flow
    bool is_paced_ : 1;      // the source has a schedule
    bool has_ip_ : 1;
    bool draws_receiver_ : 1;
    bool begins_with_address_ : 1;  // the receiver's address is at the start of a frame
    std::vector<Way> ways_;
    Picos transmit_;  // copied from the flow
    int64_t chosen_ = 0;
    Bytes through_;  // octets on the wire that were sent
    std::unique_ptr<RateControl> control_;
    std::unique_ptr<Recovery> recovery_;
    std::optional<Schedule> schedule_;
    Flow flow_;
    uint32_t pair_;
    std::size_t way_ = 0;
    std::size_t scripted_ = 0;       // number of lengths used from the script
    std::vector<Message> messages_;  // valid from next_message_ on
    std::size_t next_message_ = 0;
    FrameTime message_gap_;
    Picos not_before_;  // earliest time for the next frame of a message, by the rate
};

}  // namespace sluice::sim
