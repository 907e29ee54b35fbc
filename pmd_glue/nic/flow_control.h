// Flow control: sets a DPDK device to leave pauses to the switch: to obey none, to send none, and
// to pass on MAC control frames.
//
// Call it after every start: em, igb and igc lose the setting each time. A driver that refuses to
// forward is still set to obey none, since a NIC that obeys pauses does not pass them on. The
// setting for forwarding that a driver reads back is reliable only with ixgbe
// (DriverRow::reads_back).
// em and igb renegotiate with their peer, and write the result to their MAC when the link state is
// read afterwards. If there is a link, the call waits for that, at most 200 ms. Seen with an
// emulated 82574.
// Source: the drivers' flow_ctrl_set. em, igb and igc want `autoneg` as they report it, mlx5 wants
// 0.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::pmd::nic {

struct FlowControl {
    bool known = false;     // the driver has the calls
    bool off = false;       // and says that it obeys and sends none
    bool forwards = false;  // it took the order to hand over MAC control frames
    bool says_it_forwards = false;
    std::string refusal;  // why it did not
};

FlowControl leave_pauses_to_software(uint16_t ethdev);
// Turns off only 802.3x, for a device that does PFC by itself. False: the device refused, or has no
// such call.
bool turn_link_pauses_off(uint16_t ethdev);

}  // namespace sluice::pmd::nic
