// TransmitTimer: when a port's next LACPDU is due (802.1AX-2014 6.4.13, the periodic transmission
// machine, and 6.4.16, the transmit machine).
//
// A LACPDU is due at the interval that the partner requests: every second (short) or every 30 s
// (long); and at once after a change (NTT). If both ends are passive neither sends.
// Bound: three frames in any second.
#pragma once

#include <array>

#include "control/lacp/variables.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

class TransmitTimer {
  public:
    // Whether to send a LACPDU now. If so, the LACPDU counts as sent.
    [[nodiscard]] bool take(Variables& port, Nanos now) {
        const bool speaks = port.enabled && (port.actor.has(state_bits::activity) ||
                                             port.partner.has(state_bits::activity));
        if (!speaks) {
            port.need_to_transmit = false;
            runs_ = false;
            return false;
        }
        const Nanos interval =
            port.partner.has(state_bits::timeout) ? fast_periodic : slow_periodic;
        if (!runs_ || now >= last_ + interval) {
            runs_ = true;
            last_ = now;
            port.need_to_transmit = true;
        }
        if (!port.need_to_transmit || !has_credit(now)) return false;
        port.need_to_transmit = false;
        sent_[next_] = now;
        next_ = (next_ + 1) % sent_.size();
        return true;
    }

  private:
    static constexpr Nanos long_ago{-1'000'000'000'000};

    [[nodiscard]] bool has_credit(Nanos now) const { return now >= sent_[next_] + fast_periodic; }

    bool runs_ = false;
    Nanos last_;  // when the last periodic LACPDU was due
    std::array<Nanos, 3> sent_ = {long_ago, long_ago, long_ago};
    std::size_t next_ = 0;  // index of the oldest time in `sent_`
};

}  // namespace sluice::lacp
