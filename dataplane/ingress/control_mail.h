// ControlMail: the frames of control protocols, such as LLDP, between one port and control.
//
// The port's worker posts received frames to control. Each protocol has a mailbox of its own, so
// that no protocol crowds out another. Control posts frames that the worker sends. More than
// `a_second` frames of a protocol (`neighbours_a_second` for neighbour packets), or more than
// `burst` at once, are refused (`refused` of control_drops), so that a flood costs control no time.
// Frames longer than a mailbox slot are refused too.
// Bound: for each port one mailbox a protocol, and one for sending.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/pfc/frame_limit.h"
#include "dataplane/threads/mailbox.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/enum_count.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class ControlProtocol : uint8_t { lldp, lacp, loop_probe, neighbour, bpdu, last = bpdu };
inline constexpr std::size_t control_protocols = count_of<ControlProtocol>;

// The Drop reasons of a frame that control takes, and of a frame that control refuses.
struct ControlDrops {
    Drop taken;
    Drop refused;
};
inline constexpr auto control_drops = std::to_array<ControlDrops>({
    {Drop::lldp, Drop::lldp_limit},
    {Drop::lacp, Drop::lacp_limit},
    {Drop::loop_probe, Drop::loop_probe_limit},
    {Drop::neigh_suppressed, Drop::none},  // refused packets are flooded
    {Drop::bpdu, Drop::bpdu_limit},
});
static_assert(control_drops.size() == control_protocols);
constexpr ControlDrops drops_of(ControlProtocol protocol) {
    return control_drops[static_cast<std::size_t>(protocol)];
}

class ControlMail {
  public:
    // 802.1AB lets a neighbour send five frames at once and then one a second, 802.1AX three a
    // second, 802.1Q six at once and then one a second. A port may have several neighbours.
    static constexpr uint32_t a_second = 32;
    static constexpr uint32_t burst = Mailbox::slots;
    // Greater than `a_second`, because a host sends a request for each neighbour that it
    // communicates with.
    static constexpr uint32_t neighbours_a_second = 400;

    ControlMail() {
        for (FrameLimit& limit : limits_) limit.configure(a_second, burst);
        limits_[place_of(ControlProtocol::neighbour)].configure(neighbours_a_second, burst);
    }

    // Posts a frame to control. Returns the Drop reason under which the frame is consumed or
    // refused. Called by the port's worker.
    Drop receive(ControlProtocol protocol, std::span<const uint8_t> octets, Nanos now) {
        const bool handed_over =
            limits_[place_of(protocol)].takes(now) && received(protocol).post(octets);
        return handed_over ? drops_of(protocol).taken : drops_of(protocol).refused;
    }

    // Returns the mailbox from the worker to control.
    [[nodiscard]] Mailbox& received(ControlProtocol protocol) {
        return received_[place_of(protocol)];
    }

    // Sets whether pause trials (pfc/pause_trial.h) are posted to control. Called by control.
    void wants_trials(bool wanted) { trials_.store(wanted, std::memory_order_relaxed); }
    [[nodiscard]] bool trials_wanted() const { return trials_.load(std::memory_order_relaxed); }

    Mailbox due;  // frames to send, from control to the worker

  private:
    static constexpr std::size_t place_of(ControlProtocol protocol) {
        return static_cast<std::size_t>(protocol);
    }

    std::array<Mailbox, control_protocols> received_;
    std::array<FrameLimit, control_protocols> limits_;
    std::atomic<bool> trials_{false};
};

// LaneMail: control frames that a further lane of a port received, for the port's worker. Pauses
// have a mailbox of their own, so that a flood of other control frames does not crowd them out.
struct LaneMail {
    Mailbox pauses;
    std::array<Mailbox, control_protocols> control;
};

}  // namespace sluice
