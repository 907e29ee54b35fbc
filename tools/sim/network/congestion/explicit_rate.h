// ExplicitRate: the rate of one sender towards one receiver, set by the receiver: rate-based flow
// control with absolute explicit feedback, as notes on flow control describe it. The contention
// point measures congestion and feeds back a target rate; the sender adopts it and shapes its
// traffic to it. (Differential feedback only changes the rate; PFC's XOFF and XON are its simplest
// form, DCQCN's notices another.)
//
// Here the contention point is the receiver, which knows its cable, its own rate, and its senders:
// `RateAdvisor`. It divides `share` of its capacity evenly among the flows with frames within the
// last `memory`, less the rate that drains its backlog within another `memory`. A sender begins at
// `initial`, since it has no feedback before the first acknowledgement.
// Exact: whole numbers only. Rates are those on the wire.
// Bound: a table entry for each flow at a receiver.
// Not done here: rates set by switches, as in ATM's ABR and RCP, which need a field to which a
// switch writes a rate. CSIG tags report a load, not a rate (csig_window.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/flow_table.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct ExplicitRateSettings {
    uint32_t share_65536 = 62'259;  // 0.95; `share`, `memory` and `least` apply to the receiver
    Nanos memory{100'000};
    BitsPerSecond least{10'000'000};
    BitsPerSecond initial{0};  // rate before any feedback; 0 means the speed of the wire
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
    // `capacity`: the lower of the cable's rate and the receiver's rate.
    RateAdvisor(const ExplicitRateSettings& settings, BitsPerSecond capacity)
        : settings_(settings), memory_(picos(settings.memory)), capacity_(capacity) {}

    // Returns the rate for the flow of a frame that arrived. `waits`: time until all waiting frames
    // have left the receiver's buffer.
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
    FlowTable<uint64_t> seen_;  // interval of `memory` in which the flow's last frame arrived
    uint64_t span_ = 0;
    int64_t here_ = 0;    // flows with frames in the present interval
    int64_t before_ = 0;  // flows with frames in the interval before
};

}  // namespace sluice::sim
