// Flow control: asks a device of DPDK's to leave pauses to the switch: to obey none, to send none,
// and to hand over MAC control frames.
//
// To be asked after every start: em, igb and igc lose it at each. A driver that refuses to forward
// is still asked to obey none, since a NIC that obeys keeps what it obeys. What a driver reads back
// of forwarding proves something on ixgbe alone (DriverRow::reads_back).
// em and igb negotiate anew with their peer, and write the result to their MAC when the link is
// read after that: it is waited for, 200 ms at the most, where there is a link. Seen with an
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
// Of 802.3x alone, for a device that is to do PFC by itself. False: it said no, or has no such
// call.
bool turn_link_pauses_off(uint16_t ethdev);

}  // namespace sluice::pmd::nic
