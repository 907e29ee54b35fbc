// GoBackN: delivers all frames of a flow, each once and in order, over a network that loses frames.
// It has the two ends of Go-Back-N, as in RoCE's reliable connection (InfiniBand Architecture,
// volume 1, 9.7) and RC Link TYPE1.
//
// The receiver accepts only the expected frame, and acknowledges all frames before it. It answers
// the first out-of-order frame with a NAK, and the following ones with the expected serial, until
// the expected frame arrives. After a NAK the sender resends from the expected frame on, before new
// frames; after `timeout` without progress it resends from the first unacknowledged frame on.
// Frames are identified by serials, from `first` on; a later flow with the same number has later
// serials, so that frames of the old flow are recognised.
// Bound: the sender stores 16 octets for each unacknowledged frame, which run.memory does not
// count; the receiver stores 40 octets for each flow.
// Not done here: the answers' octets (host.h); limiting the frames in flight (the rate control
// does); one answer for several frames; giving up after some attempts.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"
#include "tools/sim/network/recovery.h"

namespace sluice::sim {

// The sending end.
class GoBackN final : public Recovery {
  public:
    GoBackN(Picos timeout, uint64_t first) : timeout_(timeout), begin_(first), first_(first) {}

    [[nodiscard]] uint64_t first() const override { return begin_; }
    [[nodiscard]] bool repeats() const override { return at_ < unacknowledged_.size(); }
    [[nodiscard]] const Sent& repeated() const override { return unacknowledged_[at_]; }
    [[nodiscard]] uint64_t repeated_serial() const override { return first_ + at_; }

    void send(const Sent& frame, Picos now) override {
        if (unacknowledged_.empty()) progress_ = now;
        assert(!repeats() && "what was lost goes before what is new");
        unacknowledged_.push_back(frame);
        ++at_;
    }
    void repeat(Picos now) override {
        assert(repeats());
        ++at_;
        progress_ = now;
    }
    void on_answer(const FrameReport& report, Picos now) override {
        // Ignores an answer that a later answer has overtaken.
        if (report.next < first_) return;
        const auto arrived = static_cast<std::size_t>(report.next - first_);
        if (arrived > unacknowledged_.size()) return;
        if (arrived > 0) {
            unacknowledged_.erase(unacknowledged_.begin(),
                                  unacknowledged_.begin() + static_cast<std::ptrdiff_t>(arrived));
            first_ = report.next;
            at_ -= at_ < arrived ? at_ : arrived;
            progress_ = now;
        }
        // Ignores a NAK of a frame that was sent before the last `go_back`: that call made all
        // unacknowledged frames due again.
        if (report.refused && report.left >= went_back_) go_back(now);
    }
    [[nodiscard]] Picos timer() const override {
        return unacknowledged_.empty() || repeats() ? Schedule::never : progress_ + timeout_;
    }
    bool expire(Picos now) override {
        if (timer() > now) return false;
        go_back(now);
        return true;
    }

  private:
    void go_back(Picos now) {
        at_ = 0;
        progress_ = went_back_ = now;
    }

    Picos timeout_;
    uint64_t begin_;
    uint64_t first_;                   // serial of the first unacknowledged frame
    std::deque<Sent> unacknowledged_;  // from `first_` on
    std::size_t at_ = 0;  // index of the next frame to resend; the size if there is none
    Picos progress_;
    Picos went_back_;
};

// The receiving end of all flows to a host.
class InOrder {
  public:
    // Returns whether this frame is the next in order.
    [[nodiscard]] bool expects(const Packet& packet) {
        Waiting& waiting = flows_[packet.flow];
        if (!waiting.begun || packet.first > waiting.first) {
            waiting = {.first = packet.first, .next = packet.first, .begun = true};
        }
        return packet.first == waiting.first && packet.serial == waiting.next;
    }
    // Accepts a frame that is the next in order.
    void take(const Packet& packet) {
        Waiting& waiting = flows_[packet.flow];
        assert(packet.serial == waiting.next);
        ++waiting.next;
        waiting.refused = false;
        waiting.taken = packet.report->through;
        fill(waiting, *packet.report);
    }
    // Refuses a frame that is not the next in order.
    void refuse(const Packet& packet) {
        Waiting& waiting = flows_[packet.flow];
        packet.report->refused = packet.serial > waiting.next && !waiting.refused;
        waiting.refused |= packet.report->refused;
        fill(waiting, *packet.report);
    }

  private:
    struct Waiting {
        uint64_t first = 0;  // first serial of the flow that has this number now
        uint64_t next = 0;
        Bytes taken;           // octets sent by the source up to the last accepted frame
        bool refused = false;  // a NAK was sent since `next` became expected
        bool begun = false;
    };

    static void fill(const Waiting& waiting, FrameReport& report) {
        report.next = waiting.next;
        report.taken = waiting.taken;
    }

    FlowTable<Waiting> flows_;
};

}  // namespace sluice::sim
