// GoBackN: a flow whose frames all arrive, each once and in order, over a network that loses some:
// the two ends of Go-Back-N, as RoCE's reliable connection has it (InfiniBand Architecture, volume
// 1, 9.7) and RC Link of TYPE1.
//
// The receiver takes the frame whose turn it is and no other, and acknowledges all before the one
// that it waits for. The first that comes too early it answers with a NAK, those behind it with
// what it waits for, until that one is there. At a NAK the sender sends again from there on, ahead
// of what is new; after `timeout` without progress from the first that is not acknowledged.
// Frames are told by their serials, from `first` on; a later flow of the same number has later
// ones, so that what is left of an earlier one is known.
// Bound: the sender remembers each frame that is not acknowledged, the receiver a word a flow.
// Not done here: the answers' octets (host.h); a limit on what is on its way, which is for a rate
// control; one answer for several frames; giving up after some attempts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

// The sending end.
class GoBackN {
  public:
    struct Sent {
        Bytes length;  // with FCS
        Picos due;
    };

    GoBackN(Picos timeout, uint64_t first) : timeout_(timeout), begin_(first), first_(first) {}

    [[nodiscard]] uint64_t first() const { return begin_; }
    // A frame is to be sent again: `repeated`, with that serial.
    [[nodiscard]] bool repeats() const { return at_ < unheard_.size(); }
    [[nodiscard]] const Sent& repeated() const { return unheard_[at_]; }
    [[nodiscard]] uint64_t repeated_serial() const { return first_ + at_; }

    // A new one leaves; none is to be repeated.
    void send(const Sent& frame, Picos now) {
        if (unheard_.empty()) progress_ = now;
        unheard_.push_back(frame);
        ++at_;
    }
    // `repeated` leaves.
    void repeat(Picos now) {
        ++at_;
        progress_ = now;
    }
    void hear(const FrameReport& report, Picos now) {
        // Overtaken by a later one.
        if (report.next < first_) return;
        const auto arrived = static_cast<std::size_t>(report.next - first_);
        if (arrived > unheard_.size()) return;
        if (arrived > 0) {
            unheard_.erase(unheard_.begin(),
                           unheard_.begin() + static_cast<std::ptrdiff_t>(arrived));
            first_ = report.next;
            at_ -= at_ < arrived ? at_ : arrived;
            progress_ = now;
        }
        if (report.refused) go_back(now);
    }
    // When it has waited long enough; Schedule::never: it waits for nothing.
    [[nodiscard]] Picos timer() const {
        return unheard_.empty() || repeats() ? Schedule::never : progress_ + timeout_;
    }
    // Goes back if it has. Returns whether it did.
    bool expire(Picos now) {
        if (timer() > now) return false;
        go_back(now);
        return true;
    }

  private:
    void go_back(Picos now) {
        at_ = 0;
        progress_ = now;
    }

    Picos timeout_;
    uint64_t begin_;
    uint64_t first_;            // serial of the first that is not acknowledged
    std::deque<Sent> unheard_;  // from that one on
    std::size_t at_ = 0;        // of these, the next to be repeated; behind them: none is
    Picos progress_;
};

// The receiving end, of all flows that come to a host.
class InOrder {
  public:
    // Whether it is the turn of this frame.
    [[nodiscard]] bool expects(const Packet& packet) {
        const Waiting begun{.first = packet.first, .next = packet.first};
        Waiting& waiting = flows_.try_emplace(packet.flow, begun).first->second;
        if (packet.first > waiting.first) waiting = begun;
        return packet.first == waiting.first && packet.serial == waiting.next;
    }
    // It is, and the frame is taken.
    void take(Packet& packet) {
        Waiting& waiting = flows_[packet.flow];
        ++waiting.next;
        waiting.refused = false;
        packet.report->next = waiting.next;
    }
    // It is not.
    void refuse(Packet& packet) {
        Waiting& waiting = flows_[packet.flow];
        packet.report->next = waiting.next;
        packet.report->refused = packet.serial > waiting.next && !waiting.refused;
        waiting.refused |= packet.report->refused;
    }

  private:
    struct Waiting {
        uint64_t first = 0;  // serial of the flow that has this number now
        uint64_t next = 0;
        bool refused = false;  // a frame, since `next` is waited for
    };

    std::unordered_map<uint32_t, Waiting> flows_;  // by number
};

}  // namespace sluice::sim
