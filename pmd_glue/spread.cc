#include "pmd_glue/spread.h"

#include <rte_ethdev.h>
#include <rte_mbuf.h>

namespace sluice::pmd {

std::size_t send_spread(uint16_t ethdev, uint16_t queues, std::span<rte_mbuf*> buffers) {
    const auto queue_of = [&](std::size_t at) {
        const rte_mbuf* const buffer = buffers[at];
        return queue_for({rte_pktmbuf_mtod(buffer, const uint8_t*), buffer->data_len}, queues);
    };
    std::size_t sent = 0;
    uint16_t next = buffers.empty() ? uint16_t{0} : queue_of(0);
    for (std::size_t end = 0; sent == end && end < buffers.size();) {
        const uint16_t queue = next;
        while (++end < buffers.size() && (next = queue_of(end)) == queue) continue;
        sent += rte_eth_tx_burst(ethdev, queue, &buffers[sent], static_cast<uint16_t>(end - sent));
    }
    return sent;
}

// Ports of TCP and UDP are left out, which a fragment does not tell.
bool ask_to_spread(const rte_eth_dev_info& info, rte_eth_conf& conf) {
    constexpr uint64_t by_addresses = RTE_ETH_RSS_ETH | RTE_ETH_RSS_L2_PAYLOAD | RTE_ETH_RSS_IP;
    conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads & by_addresses;
    if (conf.rx_adv_conf.rss_conf.rss_hf == 0) return false;
    conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
    return true;
}

}  // namespace sluice::pmd
