// ExplicitRate: the rate of one sender towards one receiver that names it: rate-based flow control
// with absolute explicit feedback, as notes on flow control describe it. The contention point
// measures what correlates with congestion and feeds back a target; the sender puts that in place
// of its rate, and shapes its traffic to it. (The differential kind, "slower by so much", is PFC's
// XOFF and XON at its simplest, and DCQCN's notices.)
//
// Here the contention point is the receiver, which knows its cable, how fast it takes frames, and
// who sends: `RateAdvisor`. It divides `share` of its capacity evenly among the flows with frames
// within the last `memory`, less the rate that drains its backlog within another `memory`. A sender
// begins at `initial`, as nothing is known before the first acknowledgement.
// Exact: whole numbers only. Rates are of the wire.
// Bound: a place of a table for each flow at a receiver.
// Not done here: rates by switches, as ATM's ABR and RCP have them: they need a field that a switch
// writes a rate to. What CSIG tags bring a sender is a load (csig_window.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct ExplicitRateSettings {
    uint32_t share_65536 = 62'259;  // 0.95; this and the next two as receivers
    Nanos memory{100'000};
    BitsPerSecond least{10'000'000};
    BitsPerSecond initial{0};  // as senders; 0: that of the wire
};

class ExplicitRate : public RateControl {
  public:
    ExplicitRate(const ExplicitRateSettings& settings, BitsPerSecond wire)
        : wire_(wire), rate_(settings.initial.count() > 0 ? settings.initial : wire) {}

    [[nodiscard]] Asks asks() const override { return Asks::acknowledgement; }
    [[nodiscard]] Picos ready_at(Bytes /*frame*/, Picos now) const override {
        return std::max(now, not_before_);
    }
    void sent(Bytes frame, Picos now) override {
        not_before_ = now + time_at(rate_, on_wire_of(frame));
    }
    void acknowledged(const FrameReport& report, Picos /*now*/) override {
        if (report.rate) rate_ = std::min(*report.rate, wire_);
    }

    [[nodiscard]] BitsPerSecond rate() const { return rate_; }

  private:
    BitsPerSecond wire_;
    BitsPerSecond rate_;
    Picos not_before_;
};

class RateAdvisor {
  public:
    // `capacity`: the lower of the cable's rate and the receiver's.
    RateAdvisor(const ExplicitRateSettings& settings, BitsPerSecond capacity)
        : settings_(settings), memory_(picos(settings.memory)), capacity_(capacity) {}

    // Returns the rate for the flow of a frame that arrived; `waits`: time until all waiting frames
    // are taken.
    BitsPerSecond advise(uint32_t flow, Picos waits, Picos now) {
        const auto span = static_cast<uint64_t>(now.count() / memory_.count()) + 1;
        if (span != span_) {
            before_ = span == span_ + 1 ? here_ : 0;
            here_ = 0;
            span_ = span;
        }
        if (uint64_t& seen = seen_[flow]; seen != span) {
            seen = span;
            ++here_;
        }
        const Wide flows = std::max({before_, here_, int64_t{1}});
        const Picos left = std::max(memory_ - waits, Picos(0));
        const Wide shared = Wide{capacity_.count()} * settings_.share_65536 / 65536;
        const Wide rate = shared * left.count() / memory_.count() / flows;
        return std::max(BitsPerSecond(static_cast<int64_t>(rate)), settings_.least);
    }

  private:
    ExplicitRateSettings settings_;
    Picos memory_;
    BitsPerSecond capacity_;
    FlowTable<uint64_t> seen_;  // the span of time of its last frame
    uint64_t span_ = 0;
    int64_t here_ = 0;    // flows of this span
    int64_t before_ = 0;  // and of the one before
};

}  // namespace sluice::sim
