#include "tools/sim/network/congestion/csig_window.h"

#include <algorithm>

#include "tools/sim/network/packet.h"

namespace sluice::sim {

Picos CsigWindow::ready_at(Bytes frame, Picos now) const {
    return std::max(not_before_, in_flight_.room_at(on_wire_of(frame), window_, now));
}

void CsigWindow::sent(Bytes frame, Picos now) {
    const Bytes on_wire = on_wire_of(frame);
    longest_ = std::max(longest_, on_wire);
    if (in_flight_.send(on_wire, now) > Bytes(0)) fall_to(least_left(), now);
    if (window_ >= on_wire) return;
    const Wide wait = Wide{round_trip_.count()} * on_wire.count() / window_.count();
    not_before_ = now + Picos(static_cast<int64_t>(wait));
}

void CsigWindow::on_timeout() {
    in_flight_.lose_all();
    fell_at_ = Picos(-1);
    fall_to(least_left(), Picos(0));
}

void CsigWindow::acknowledged(const FrameReport& report, Picos now) {
    const bool was_full = in_flight_.octets() + longest_ > window_;
    const auto [arrived, lost] = in_flight_.receive(report, now);
    round_trip_ = now - report.left;
    if (lost > Bytes(0)) return fall_to(least_left(), now);
    if (!report.csig) return;
    const int64_t delay = bands_.base + bands_.step * int64_t{report.csig->value};
    const int64_t target = settings_.target.count();
    if (delay < target) {
        if (was_full) grow(arrived);
        return;
    }
    const int64_t beyond = (delay - target) * settings_.decrease_65536 / delay;
    fall_to(std::max(65536 - beyond, least_left()), now);
}

void CsigWindow::grow(Bytes arrived) {
    grown_ += settings_.additive.count() * arrived.count();
    const int64_t round = std::max(window_, longest_).count();
    window_ += Bytes(grown_ / round);
    grown_ %= round;
}

void CsigWindow::fall_to(int64_t left_65536, Picos now) {
    if (fell_at_ >= Picos(0) && now - fell_at_ < round_trip_) return;
    fell_at_ = now;
    const auto left = static_cast<int64_t>(Wide{window_.count()} * left_65536 >> 16);
    window_ = std::max(Bytes(left), settings_.least);
    grown_ = 0;
}

}  // namespace sluice::sim
