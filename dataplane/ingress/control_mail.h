// ControlMail: the frames of control protocols, such as LLDP, between one port and control.
//
// What the port's worker hears it posts for control; what control has to send it posts for the
// worker. Beyond `a_second` frames, or `burst` of them at once, it hears no more, so that a flood
// costs control no time; nor what is longer than a mailbox takes.
// Bound: two mailboxes a port.
#pragma once

#include <atomic>

#include "dataplane/drops.h"
#include "dataplane/mailbox.h"
#include "dataplane/pfc/frame_limit.h"
#include "dataplane/units.h"

namespace sluice {

class ControlMail {
  public:
    // 802.1AB lets a neighbour send five at once and one a second from then on; a port may have
    // several of them.
    static constexpr uint32_t a_second = 32;
    static constexpr uint32_t burst = Mailbox::slots;

    ControlMail() { limit_.configure(a_second, burst); }

    // By the port's worker: why the frame ends here.
    Drop hear(std::span<const uint8_t> octets, Nanos now) {
        const bool handed_over = limit_.takes(now) && heard.post(octets);
        return handed_over ? Drop::lldp : Drop::lldp_limit;
    }

    // By control: whether pause trials (pfc/pause_trial.h) are left for it.
    void wants_trials(bool wanted) { trials_.store(wanted, std::memory_order_relaxed); }
    [[nodiscard]] bool trials_wanted() const { return trials_.load(std::memory_order_relaxed); }

    Mailbox heard;  // from the worker to control
    Mailbox due;    // from control to the worker

  private:
    FrameLimit limit_;
    std::atomic<bool> trials_{false};
};

// From a further lane of a port to the port's worker: frames that end at the port. LLDP, of which
// there may be any number, does not crowd out pauses.
struct LaneMail {
    Mailbox pauses;
    Mailbox lldp;
};

}  // namespace sluice
