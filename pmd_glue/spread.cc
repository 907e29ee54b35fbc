#include "pmd_glue/spread.h"

#include <rte_ethdev.h>
#include <rte_mbuf.h>

namespace sluice::pmd {

uint16_t queue_for(const rte_mbuf& buffer, uint16_t queues) {
    return queue_for({rte_pktmbuf_mtod(&buffer, const uint8_t*), buffer.data_len}, queues);
}

// Ports of TCP and UDP are not hashed, since later fragments have none.
bool ask_to_spread(const rte_eth_dev_info& info, rte_eth_conf& conf) {
    constexpr uint64_t by_addresses = RTE_ETH_RSS_ETH | RTE_ETH_RSS_L2_PAYLOAD | RTE_ETH_RSS_IP;
    conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads & by_addresses;
    if (conf.rx_adv_conf.rss_conf.rss_hf == 0) return false;
    conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
    return true;
}

}  // namespace sluice::pmd
