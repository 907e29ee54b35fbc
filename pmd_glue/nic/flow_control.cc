#include "pmd_glue/nic/flow_control.h"

#include <rte_cycles.h>
#include <rte_ethdev.h>

namespace sluice::pmd::nic {
namespace {

// Sets flow control off. Keeps the water marks and times that the driver reports, since some
// drivers refuse 0.
int order(uint16_t ethdev, const rte_eth_fc_conf& current, bool forward) {
    rte_eth_fc_conf wanted = current;
    wanted.mode = RTE_ETH_FC_NONE;
    wanted.mac_ctrl_frame_fwd = forward ? 1 : 0;
    const int result = rte_eth_dev_flow_ctrl_set(ethdev, &wanted);
    if (result == 0 || current.autoneg == 0) return result;
    wanted.autoneg = 0;
    return rte_eth_dev_flow_ctrl_set(ethdev, &wanted) == 0 ? 0 : result;
}

bool is_off(uint16_t ethdev, rte_eth_fc_conf& now) {
    now = {};
    now.mode = RTE_ETH_FC_FULL;
    return rte_eth_dev_flow_ctrl_get(ethdev, &now) == 0 && now.mode == RTE_ETH_FC_NONE;
}

bool link_is_up(uint16_t ethdev) {
    rte_eth_link link{};
    return rte_eth_link_get_nowait(ethdev, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

// Waits until flow control is off, and returns whether it is. em and igb write the mode to the MAC
// when the link state is read. A mode that is set without a link takes effect once there is one.
bool goes_off(uint16_t ethdev, rte_eth_fc_conf& now) {
    constexpr unsigned looks = 10;
    constexpr unsigned between_ms = 20;
    for (unsigned look = 0; !is_off(ethdev, now); ++look) {
        if (!link_is_up(ethdev)) return true;
        if (look == looks) return false;
        rte_delay_ms(between_ms);
    }
    return true;
}

}  // namespace

bool turn_link_pauses_off(uint16_t ethdev) {
    rte_eth_fc_conf current{};
    return rte_eth_dev_flow_ctrl_get(ethdev, &current) == 0 && order(ethdev, current, false) == 0;
}

FlowControl leave_pauses_to_software(uint16_t ethdev) {
    FlowControl found;
    rte_eth_fc_conf current{};
    if (const int result = rte_eth_dev_flow_ctrl_get(ethdev, &current); result != 0) {
        found.refusal = rte_strerror(-result);
        return found;
    }
    found.known = true;
    const int result = order(ethdev, current, true);
    found.forwards = result == 0;
    bool taken = found.forwards;
    if (!found.forwards) {
        found.refusal = rte_strerror(-result);
        taken = order(ethdev, current, false) == 0;
    }
    rte_eth_fc_conf now{};
    found.off = taken ? goes_off(ethdev, now) : is_off(ethdev, now);
    found.says_it_forwards = now.mac_ctrl_frame_fwd != 0;
    return found;
}

}  // namespace sluice::pmd::nic
