// EndToEndCredit: credit from one end to the other, past all switches: notes on RC Link's CBFC
// mode, where a sender counts what of the receiver's buffer is its own, and the receiver gives it
// back when a frame has left that buffer. A frame leaves only with credit for all of it, FCS
// counted.
//
// Credit comes back with the acknowledgement of a frame that the receiver has taken (host.h), so it
// takes the round trip and what the frame waits there; a switch sees nothing of it. It counts for
// all that was sent before: what was lost on the way gives its credit back with the next frame that
// arrives. Where nothing arrives any more it is lost with its frames, as in those notes, and the
// flow stands still, unless Go-Back-N sends them again: then all of it is there.
// Each flow has its own at each receiver, where RC Link has one for each virtual channel.
// Bound: a word for each frame under way.
#pragma once

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
        while (!spent_.empty() && spent_.front().through <= report.through) give_back();
    }
    void lost_all() override {
        while (!spent_.empty()) give_back();
    }

  private:
    struct Spent {
        Bytes through;  // of the wire, in all
        Bytes frame;
    };

    void give_back() {
        left_ += spent_.front().frame;
        spent_.pop_front();
    }

    Bytes left_;
    Bytes through_;
    std::deque<Spent> spent_;
};

}  // namespace sluice::sim
