// Flow control: makes a DPDK device leave pauses to the switch: it obeys none, sends none, and
// passes on MAC control frames.
//
// Call it after every start: em, igb and igc lose the setting each time. If a driver refuses to
// forward, flow control is still switched off, since a NIC that obeys pauses does not pass them on.
// Only ixgbe reports reliably whether it forwards (DriverRow::reads_back).
// em and igb renegotiate with their peer, and write the result to their MAC when the link state is
// read afterwards. If there is a link, the call waits up to 200 ms for this. Seen with an emulated
// 82574.
// Source: the drivers' flow_ctrl_set. em, igb and igc accept only the `autoneg` that they report,
// mlx5 accepts only 0.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::pmd::nic {

struct FlowControl {
    bool known = false;     // the driver has the calls for flow control
    bool off = false;       // the driver reports flow control as off
    bool forwards = false;  // the driver accepted the setting to forward MAC control frames
    bool says_it_forwards = false;
    std::string refusal;  // reason why the driver does not forward MAC control frames
};

FlowControl leave_pauses_to_software(uint16_t ethdev);
// Turns off only 802.3x, for a device that does PFC by itself. Returns false if the device refused
// or has no such call.
bool turn_link_pauses_off(uint16_t ethdev);

}  // namespace sluice::pmd::nic
