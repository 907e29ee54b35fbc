// What drivers have to be given for a NIC to pause and obey by itself.
#include <rte_flow.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "tests/unit/pmd_glue/nic/test_nic_end.h"

namespace sluice::test_nic {
namespace {

// In KiB, of 64 that a class of an 82599 has, or in octets: an ice's register holds 20 bits.
int priority_flow_ctrl_set(rte_eth_dev* dev, rte_eth_pfc_conf* conf) {
    Nic& nic = nic_of(dev);
    const bool octets = nic.is->pfc == Pfc::in_octets;
    if (nic.is->pfc != Pfc::after_start && !octets) return -ENOSYS;
    const uint32_t least = octets ? 2048 : 1;
    const uint32_t most = octets ? 0xFFFFF : 62;
    const auto& [high, low] = std::pair(conf->fc.high_water, conf->fc.low_water);
    const bool valid = conf->fc.mode == RTE_ETH_FC_FULL && low >= least && high > low &&
                       high <= most && conf->fc.pause_time != 0;
    if (!valid || !nic.has_classes) return -EINVAL;
    nic.pauses = static_cast<uint8_t>(nic.pauses | 1U << conf->priority);
    return 0;
}

int queue_info_get(rte_eth_dev*, rte_eth_pfc_queue_info* info) {
    info->tc_max = classes_of_dcb;
    info->mode_capa = RTE_ETH_FC_FULL;
    return 0;
}
int queue_config(rte_eth_dev* dev, rte_eth_pfc_queue_conf* conf) {
    Nic& nic = nic_of(dev);
    if (nic.mode != RTE_ETH_FC_NONE) return -ENOTSUP;
    const bool one = conf->rx_pause.tc == conf->tx_pause.tc &&
                     conf->rx_pause.tx_qid == conf->rx_pause.tc &&
                     conf->tx_pause.rx_qid == conf->rx_pause.tc;
    if (!one || conf->mode != RTE_ETH_FC_FULL) return -EINVAL;
    nic.pauses = static_cast<uint8_t>(nic.pauses | 1U << conf->rx_pause.tc);
    return 0;
}

// A rule that steers a PCP to the queue of that number.
rte_flow* flow_create(rte_eth_dev* dev, const rte_flow_attr* attributes,
                      const rte_flow_item* pattern, const rte_flow_action* actions,
                      rte_flow_error*) {
    Nic& nic = nic_of(dev);
    const auto* const tag = static_cast<const rte_flow_item_vlan*>(pattern[1].spec);
    const auto* const mask = static_cast<const rte_flow_item_vlan*>(pattern[1].mask);
    const auto* const queue = static_cast<const rte_flow_action_queue*>(actions[0].conf);
    const bool known = attributes->ingress == 1 && pattern[0].type == RTE_FLOW_ITEM_TYPE_ETH &&
                       pattern[1].type == RTE_FLOW_ITEM_TYPE_VLAN &&
                       actions[0].type == RTE_FLOW_ACTION_TYPE_QUEUE;
    if (!known || rte_be_to_cpu_16(mask->tci) != 0xE000) return nullptr;
    if (rte_be_to_cpu_16(tag->tci) >> 13 != queue->index) return nullptr;
    nic.has_classes = true;
    nic.led = static_cast<uint8_t>(nic.led | 1U << queue->index);
    return reinterpret_cast<rte_flow*>(&nic);
}
const rte_flow_ops rules = {.validate = nullptr, .create = flow_create, .more = {}};
int flow_ops_get(rte_eth_dev*, const rte_flow_ops** ops) { return *ops = &rules, 0; }

int get_dcb_info(rte_eth_dev* dev, rte_eth_dcb_info* info) {
    const Nic& nic = nic_of(dev);
    const bool apart = nic.is->pfc == Pfc::after_start;
    info->nb_tcs = nic.has_classes ? classes_of_dcb : 1;
    for (uint8_t of = 0; of < info->nb_tcs; ++of) {
        info->prio_tc[of] = dev->data->dev_conf.rx_adv_conf.dcb_rx_conf.dcb_tc[of];
        info->tc_queue.tc_rxq[0][of].base = apart ? ixgbe_receive[of] : uint16_t{of};
        info->tc_queue.tc_txq[0][of].base = apart ? ixgbe_send[of] : uint16_t{of};
    }
    return 0;
}

// For cnxk a CN10K's names: a CN9K has no counters by class.
struct XstatNames {
    const char* received = nullptr;
    const char* sent = nullptr;
};
XstatNames xstat_names(const Class& is) {
    if (is.driver == "net_cn10k") {
        return {"rpm_rx_CBFC_pause_frames_class_%u", "rpm_tx_CBFC_pause_frames_class_%u"};
    }
    if (is.pfc == Pfc::each_queue) return {};
    if (is.pfc == Pfc::in_octets) return {"priority_xoff_rx_tc%u", "priority_xoff_tx_tc%u"};
    return {"rx_priority%u_xoff_packets", "tx_priority%u_xoff_packets"};
}

constexpr unsigned xstat_count = 2 * classes_of_dcb;

int xstats_get_names(rte_eth_dev* dev, rte_eth_xstat_name* names, unsigned size) {
    const XstatNames of = xstat_names(*nic_of(dev).is);
    if (of.received == nullptr) return 0;
    if (names == nullptr || size < xstat_count) return xstat_count;
    for (unsigned i = 0; i < xstat_count; ++i) {
        std::snprintf(names[i].name, sizeof names[i].name, i % 2 == 0 ? of.received : of.sent,
                      i / 2);
    }
    return xstat_count;
}
int xstats_get(rte_eth_dev* dev, rte_eth_xstat* stats, unsigned size) {
    const Nic& nic = nic_of(dev);
    if (xstat_names(*nic.is).received == nullptr) return 0;
    if (stats == nullptr || size < xstat_count) return xstat_count;
    for (unsigned i = 0; i < xstat_count; ++i) {
        stats[i] = {.id = i, .value = (i % 2 == 0 ? nic.xoffs_received : nic.xoffs_sent)[i / 2]};
    }
    return xstat_count;
}

}  // namespace

void add_pfc_calls(const Class& is, eth_dev_ops& calls) {
    calls.set(DriverCall::xstats_get_names, xstats_get_names);
    calls.set(DriverCall::xstats_get, xstats_get);
    if (is.pfc == Pfc::each_queue) {
        calls.set(DriverCall::priority_flow_ctrl_queue_info_get, queue_info_get);
        calls.set(DriverCall::priority_flow_ctrl_queue_config, queue_config);
        calls.set(DriverCall::flow_ops_get, flow_ops_get);
    } else if (is.pfc != Pfc::none) {
        calls.set(DriverCall::priority_flow_ctrl_set, priority_flow_ctrl_set);
        calls.set(DriverCall::get_dcb_info, get_dcb_info);
    }
}

}  // namespace sluice::test_nic
