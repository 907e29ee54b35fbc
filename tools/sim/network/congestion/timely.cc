#include "tools/sim/network/congestion/timely.h"

#include <algorithm>

#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

Picos Timely::ready_at(Bytes /*frame*/, Picos now) const { return std::max(now, not_before_); }

void Timely::sent(Bytes frame, Picos now) { not_before_ = now + time_at(rate_, on_wire_of(frame)); }

void Timely::acknowledged(const FrameReport& report, Picos now) {
    if (report.through < next_) return;
    next_ = report.through + settings_.segment;
    measure(now - report.left - time_at(wire_, report.on_wire));
}

void Timely::measure(Picos rtt) {
    constexpr int64_t one = 65536;
    if (last_ == Picos(0)) last_ = rtt;
    const Picos change = rtt - last_;
    last_ = rtt;
    const int64_t gain = settings_.gain_65536;
    difference_ = Picos((difference_.count() * (one - gain) + change.count() * gain) / one);
    const int64_t gradient = difference_.count() * one / picos(settings_.rtt).count();
    const Picos high = picos(settings_.high);
    const int64_t decrease = settings_.decrease_65536;
    if (rtt < picos(settings_.low)) {
        falling_ = 0;
        return rise(1);
    }
    if (rtt > high) return fall_to(one - decrease * (rtt - high).count() / rtt.count());
    if (gradient > 0) return fall_to(one - decrease * gradient / one);
    ++falling_;
    rise(falling_ >= patience ? 5 : 1);
}

void Timely::rise(int64_t steps) { rate_ = std::min(wire_, rate_ + settings_.additive * steps); }

void Timely::fall_to(int64_t left_65536) {
    falling_ = 0;
    const auto left =
        static_cast<int64_t>(Wide{rate_.count()} * std::max<int64_t>(left_65536, 0) >> 16);
    rate_ = std::max(BitsPerSecond(left), std::min(settings_.least, wire_));
}

}  // namespace sluice::sim
