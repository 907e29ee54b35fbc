#include "tools/sim/network/congestion/hpcc.h"

#include <algorithm>

#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

namespace {

constexpr Wide picos_a_second_in_octets = 8'000'000'000'000;

Bytes sent_in(BitsPerSecond speed, Picos time) {
    return Bytes(
        static_cast<int64_t>(Wide{speed.count()} * time.count() / picos_a_second_in_octets));
}

}  // namespace

Hpcc::Hpcc(const HpccSettings& settings, BitsPerSecond wire)
    : settings_(settings),
      round_trip_(picos(settings.base_rtt)),
      most_(sent_in(wire, round_trip_)),
      in_flight_(InFlight::silence_of(round_trip_)),
      window_(most_),
      reference_(most_) {}

BitsPerSecond Hpcc::rate() const {
    return BitsPerSecond(static_cast<int64_t>(Wide{window_.count()} * picos_a_second_in_octets /
                                              round_trip_.count()));
}

Picos Hpcc::ready_at(Bytes frame, Picos now) const {
    return std::max(not_before_, in_flight_.room_at(on_wire_of(frame), window_, now));
}

void Hpcc::sent(Bytes frame, Picos now) {
    in_flight_.send(on_wire_of(frame), now);
    not_before_ = now + Picos(static_cast<int64_t>(Wide{on_wire_of(frame).count()} *
                                                   round_trip_.count() / window_.count()));
}

void Hpcc::acknowledged(const FrameReport& report, Picos now) {
    in_flight_.receive(report, now);
    // Telemetry needs a previous acknowledgement to be compared with.
    if (hops_ != 0 && hops_ == report.hops) {
        measure(report);
        react(report.through > updated_until_);
    }
    if (report.through > updated_until_) updated_until_ = in_flight_.sent();
    hops_ = report.hops;
    std::ranges::copy(report.way(), last_.begin());
}

void Hpcc::measure(const FrameReport& report) {
    int64_t most = 0;
    Picos over;
    for (std::size_t n = 0; n < hops_; ++n) {
        const Hop& hop = report.path[n];
        const Hop& before = last_[n];
        const Picos time = hop.at - before.at;
        if (time <= Picos(0)) continue;
        const Bytes waits = std::min(hop.queued, before.queued);
        const auto part = [&](Bytes octets, Picos of) {
            return static_cast<int64_t>(Wide{octets.count()} * picos_a_second_in_octets * one /
                                        (Wide{hop.speed.count()} * of.count()));
        };
        const int64_t use = part(waits, round_trip_) + part(hop.sent - before.sent, time);
        if (use <= most) continue;
        most = use;
        over = time;
    }
    over = std::min(over, round_trip_);
    use_ = static_cast<int64_t>(
        (Wide{use_} * (round_trip_ - over).count() + Wide{most} * over.count()) /
        round_trip_.count());
}

void Hpcc::react(bool once_a_round_trip) {
    const int64_t wanted = int64_t{settings_.utilization_65536} * (one / 65536);
    const bool multiplies = use_ >= wanted || stage_ >= settings_.stages;
    Bytes next = reference_;
    if (multiplies) {
        const Wide scaled = Wide{reference_.count()} * wanted / std::max<int64_t>(use_, 1);
        next = Bytes(static_cast<int64_t>(std::min(scaled, Wide{most_.count()})));
    }
    window_ = std::min(next + settings_.additive, most_);
    if (!once_a_round_trip) return;
    stage_ = multiplies ? 0 : stage_ + 1;
    reference_ = window_;
}

}  // namespace sluice::sim
