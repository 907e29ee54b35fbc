// EndToEndCredit: credit between two hosts, in which switches have no part, after notes on RC
// Link's CBFC mode: a sender counts its share of the receiver's buffer, and the receiver returns
// credit when a frame has left that buffer. A frame is sent only with credit for its whole length,
// including its FCS.
//
// Credit returns with the answer to a frame that has left the receiver's buffer (host.h): after a
// round trip and the frame's wait in the buffer. The answer is a frame like any other. An answer
// covers all earlier frames: the credit of a lost frame returns with the answer to a later one. If
// no later frame is sent, or the last answer is lost, the credit is lost, as in those notes, and
// the flow stalls.
// Under Go-Back-N a refused frame holds no buffer, nor do the missing frames before it: their
// credit returns with the refusal. After a timeout the credit of all frames after the last
// acknowledged one returns.
// Each flow has its own credit at each receiver; RC Link has it for each virtual channel.
// Bound: a word for each frame in flight.
#pragma once

#include <algorithm>
#include <cassert>
#include <deque>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct EndToEndCreditSettings {
    Bytes bytes{0};  // at least the longest frame
};

class EndToEndCredit : public RateControl {
  public:
    explicit EndToEndCredit(const EndToEndCreditSettings& settings) : left_(settings.bytes) {}

    [[nodiscard]] Asks asks() const override { return Asks::credit; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override {
        return frame <= left_ ? now : Schedule::never;
    }
    void sent(Bytes frame, Picos /*now*/) override {
        assert(frame <= left_);
        left_ -= frame;
        through_ += on_wire_of(frame);
        spent_.push_back({through_, frame});
    }
    void acknowledged(const FrameReport& report, Picos /*now*/) override {
        if (report.credit) return give_back(Bytes(0), report.through);
        taken_ = std::max(taken_, report.taken);
        give_back(report.taken, report.through);
    }
    void on_timeout() override { give_back(taken_, through_); }

  private:
    struct Spent {
        Bytes through;  // octets on the wire up to this frame, in total
        Bytes frame;
    };

    // Returns the credit of frames sent after octet `from`, up to octet `to`.
    void give_back(Bytes from, Bytes to) {
        const auto behind = [](Bytes what, const Spent& spent) { return what < spent.through; };
        const auto begin = std::upper_bound(spent_.begin(), spent_.end(), from, behind);
        const auto end = std::upper_bound(begin, spent_.end(), to, behind);
        for (auto spent = begin; spent != end; ++spent) left_ += spent->frame;
        spent_.erase(begin, end);
    }

    Bytes left_;
    Bytes through_;
    Bytes taken_;
    std::deque<Spent> spent_;
};

}  // namespace sluice::sim
