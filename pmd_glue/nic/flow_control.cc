#include "pmd_glue/nic/flow_control.h"

#include <rte_ethdev.h>

namespace sluice::pmd::nic {
namespace {

// With what the driver told of water marks and times, which some refuse to have at 0.
int order(uint16_t ethdev, const rte_eth_fc_conf& told, bool forward) {
    rte_eth_fc_conf wanted = told;
    wanted.mode = RTE_ETH_FC_NONE;
    wanted.mac_ctrl_frame_fwd = forward ? 1 : 0;
    const int result = rte_eth_dev_flow_ctrl_set(ethdev, &wanted);
    if (result == 0 || told.autoneg == 0) return result;
    wanted.autoneg = 0;
    return rte_eth_dev_flow_ctrl_set(ethdev, &wanted) == 0 ? 0 : result;
}

}  // namespace

FlowControl leave_pauses_to_software(uint16_t ethdev) {
    FlowControl found;
    rte_eth_fc_conf told{};
    if (const int result = rte_eth_dev_flow_ctrl_get(ethdev, &told); result != 0) {
        found.refusal = rte_strerror(-result);
        return found;
    }
    found.known = true;
    const int result = order(ethdev, told, true);
    found.forwards = result == 0;
    if (!found.forwards) {
        found.refusal = rte_strerror(-result);
        order(ethdev, told, false);
    }
    rte_eth_fc_conf now{};
    now.mode = RTE_ETH_FC_FULL;
    found.off = rte_eth_dev_flow_ctrl_get(ethdev, &now) == 0 && now.mode == RTE_ETH_FC_NONE;
    found.says_it_forwards = now.mac_ctrl_frame_fwd != 0;
    return found;
}

}  // namespace sluice::pmd::nic
