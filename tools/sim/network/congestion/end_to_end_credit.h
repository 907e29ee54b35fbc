// EndToEndCredit: credit from one end to the other, past all switches: after notes on RC Link's
// CBFC mode, where a sender counts its share of the receiver's buffer, and the receiver returns
// credit when a frame has left that buffer. A frame leaves only with credit for its whole length,
// FCS counted.
//
// Credit returns with the answer to a frame that the receiver has taken (host.h), so it takes the
// round trip plus the frame's wait there; the answer is a frame like any other. An answer covers
// all earlier frames: the credit of a lost frame returns with the next frame that is taken. If no
// further frame comes, or the last answer is lost, the credit is lost, as in those notes, and the
// flow stalls.
// Under Go-Back-N a refused frame holds no buffer, nor do the missing frames before it: their
// credit returns with the refusal. After a timeout the credit of all frames behind the last one
// known to be taken returns.
// Each flow has its own credit at each receiver; RC Link has it for each virtual channel.
// Bound: a word for each frame under way.
#pragma once

#include <algorithm>
#include <cassert>
#include <deque>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct EndToEndCreditSettings {
    Bytes bytes{0};  // not less than the longest frame
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
        Bytes through;  // of the wire, in all
        Bytes frame;
    };

    // Gives back the credit of octets sent behind `from`, up to `to`.
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
