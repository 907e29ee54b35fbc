#include "tools/sim/network/congestion/dctcp.h"

#include <algorithm>

#include "tools/sim/network/packet.h"

namespace sluice::sim {

Picos Dctcp::ready_at(Bytes frame, Picos now) const {
    return in_flight_.room_at(on_wire_of(frame), window_, now);
}

void Dctcp::sent(Bytes frame, Picos now) {
    longest_ = std::max(longest_, on_wire_of(frame));
    const Bytes before = in_flight_.sent();
    const Bytes lost = in_flight_.send(on_wire_of(frame), now);
    if (lost == Bytes(0)) return;
    begin_again(lost);
    cut_until_ = before;
}

void Dctcp::on_timeout() {
    cut_until_ = in_flight_.sent();
    begin_again(in_flight_.lose_all());
}

void Dctcp::acknowledged(const FrameReport& report, Picos now) {
    const bool was_full = in_flight_.octets() + longest_ > window_;
    const auto [arrived, lost] = in_flight_.receive(report, now);
    observe(report, arrived);
    if (report.through <= cut_until_) return;
    if (lost > Bytes(0)) {
        cut(one);
    } else if (report.marked) {
        cut(alpha_);
    } else if (was_full) {
        grow(arrived);
    }
}

void Dctcp::observe(const FrameReport& report, Bytes arrived) {
    arrived_ += arrived;
    if (report.marked) marked_ += arrived;
    if (report.through <= observed_until_ || arrived_ == Bytes(0)) return;
    const auto share = static_cast<uint64_t>((Wide{marked_.count()} << 32) / arrived_.count());
    alpha_ = alpha_ - (alpha_ * settings_.gain_65536 >> 16) + (share * settings_.gain_65536 >> 16);
    observed_until_ = in_flight_.sent();
    arrived_ = marked_ = Bytes(0);
}

// Reduces the window by half of `share`.
void Dctcp::cut(uint64_t share) {
    const auto less =
        static_cast<int64_t>(Wide{window_.count()} * static_cast<int64_t>(share) >> 33);
    window_ = std::min(window_, std::max(window_ - Bytes(less), longest_ * 2));
    threshold_ = window_;
    cut_until_ = in_flight_.sent();
}

void Dctcp::begin_again(Bytes lost) {
    window_ = longest_;
    threshold_ = settings_.slow_start ? std::max(lost / 2, longest_ * 2) : Bytes(0);
    grown_ = 0;
}

void Dctcp::grow(Bytes arrived) {
    if (window_ < threshold_) {
        window_ += arrived;
        return;
    }
    grown_ += longest_.count() * arrived.count();
    window_ += Bytes(grown_ / window_.count());
    grown_ %= window_.count();
}

}  // namespace sluice::sim
