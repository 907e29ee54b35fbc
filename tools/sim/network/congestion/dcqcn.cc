#include "tools/sim/network/congestion/dcqcn.h"

#include <algorithm>

#include "tools/sim/network/pace.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

Picos Dcqcn::ready_at(Bytes /*frame*/, Picos now) const { return std::max(now, not_before_); }

void Dcqcn::sent(Bytes frame, Picos now) {
    catch_up(now);
    const Bytes on_wire = on_wire_of(frame);
    not_before_ = now + time_at(rate_, on_wire);
    if (!is_limited() || settings_.increase == Increase::timer) return;
    for (counted_ += on_wire; counted_ >= settings_.byte_counter && is_limited();) {
        counted_ -= settings_.byte_counter;
        ++byte_rounds_;
        raise();
    }
}

void Dcqcn::congested(Picos now) {
    catch_up(now);
    const bool keeps = settings_.increase == Increase::timer && timer_rounds_ == 0 && notified_;
    if (!keeps) target_ = rate_;
    const auto cut = static_cast<int64_t>(Wide{rate_.count()} * static_cast<int64_t>(alpha_) >> 33);
    rate_ = std::max(std::min(settings_.least, wire_), rate_ - BitsPerSecond(cut));
    alpha_ += (one - alpha_) * settings_.gain_65536 >> 16;
    notified_ = true;
    alpha_due_ = now + picos(settings_.alpha_timer);
    timer_due_ = now + picos(settings_.timer);
    timer_rounds_ = byte_rounds_ = 0;
    counted_ = Bytes(0);
}

void Dcqcn::catch_up(Picos now) {
    // Rounds alpha down, so that alpha reaches 0 and the loop ends.
    for (; notified_ && alpha_ > 0 && alpha_due_ <= now;
         alpha_due_ += picos(settings_.alpha_timer)) {
        alpha_ = alpha_ * (65536 - settings_.gain_65536) >> 16;
    }
    for (; is_limited() && timer_due_ <= now; timer_due_ += picos(settings_.timer)) {
        if (settings_.increase == Increase::timer) {
            raise_by_timer();
            ++timer_rounds_;
        } else {
            ++timer_rounds_;
            raise();
        }
    }
}

void Dcqcn::raise() {
    const uint32_t most = std::max(timer_rounds_, byte_rounds_);
    const uint32_t least = std::min(timer_rounds_, byte_rounds_);
    if (least > settings_.fast_recovery) {
        target_ += settings_.hyper * (least - settings_.fast_recovery);
    } else if (most >= settings_.fast_recovery) {
        target_ += settings_.additive;
    }
    rise_to_target();
}

void Dcqcn::raise_by_timer() {
    if (timer_rounds_ == settings_.fast_recovery) target_ += settings_.additive;
    if (timer_rounds_ > settings_.fast_recovery) target_ += settings_.hyper;
    rise_to_target();
}

void Dcqcn::rise_to_target() {
    target_ = std::min(target_, wire_);
    rate_ = BitsPerSecond((target_.count() + rate_.count() + 1) / 2);
}

}  // namespace sluice::sim
