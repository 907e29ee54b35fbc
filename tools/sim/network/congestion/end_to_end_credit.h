// EndToEndCredit: credit from one end to the other, past all switches: notes on RC Link's CBFC
// mode, where a sender counts what of the receiver's buffer is its own, and the receiver gives it
// back when a frame has left that buffer. A frame leaves only with credit for all of it, FCS
// counted.
//
// Credit comes back with the answer to a frame that the receiver has taken (host.h), so it takes
// the round trip and what the frame waits there; the answer is a frame like any other. It counts
// for all that was sent before: what was lost on the way gives its credit back with the next frame
// that is taken. Where none comes any more, or the last answer is lost, the credit is lost with it,
// as in those notes, and the flow stalls.
// Under Go-Back-N a frame that is refused holds no buffer, nor does what is missing before it: that
// credit is back with the refusal; and after a timeout that of all behind the last that is known to
// have been taken.
// Each flow has its own at each receiver, where RC Link has one for each virtual channel.
// Bound: a word for each frame under way.
#pragma once

#include <algorithm>
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

    // Of what was sent behind `from`, until `to`.
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
