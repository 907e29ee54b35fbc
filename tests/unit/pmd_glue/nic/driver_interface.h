// Driver interface: the part of DPDK's that a driver of our own needs, of each release that we are
// built with. Debian ships the calls (rte_eth_dev_allocate, rte_vdev_register) and not the headers
// that say what they are about.
//
// Only what the test NICs use is laid out; what is between has its place and no name. What a
// release has moved is from lib/ethdev/ethdev_driver.h of 22.11 to 26.07.
#pragma once

#include <rte_dev.h>
#include <rte_ethdev.h>
#include <rte_flow.h>

#include <array>

#include "pmd_glue/dpdk_release.h"

struct rte_driver {
    void* links[2];
    const char* name;
    const char* alias;
};

struct rte_device {
    void* links[2];
    const char* name;
    const char* bus_info;
    const rte_driver* driver;
    const void* bus;
    int numa_node;
    rte_devargs* devargs;
};

struct rte_vdev_device {
    void* links[2];
    rte_device device;
};

struct rte_vdev_driver {
    void* links[2];
    rte_driver driver;
    int (*probe)(rte_vdev_device*);
    int (*remove)(rte_vdev_device*);
    int (*dma_map)(rte_vdev_device*, void*, uint64_t, std::size_t);
    int (*dma_unmap)(rte_vdev_device*, void*, uint64_t, std::size_t);
    uint32_t flags;
};

struct rte_eth_dev_data {
    char name[RTE_ETH_NAME_MAX_LEN];
    void** rx_queues;
    void** tx_queues;
    uint16_t nb_rx_queues;
    uint16_t nb_tx_queues;
    uint16_t sriov[3];
    void* dev_private;
    rte_eth_link dev_link;
    rte_eth_conf dev_conf;
    uint16_t mtu;
    uint32_t min_rx_buf_size;
    uint64_t rx_mbuf_alloc_failed;
    rte_ether_addr* mac_addrs;
};

// Places of the calls in the table of DPDK 22.11.
enum class DriverCall : unsigned {
    configure = 0,
    start = 1,
    stop = 2,
    close = 5,
    link_update = 7,
    promiscuous_enable = 9,
    promiscuous_disable = 10,
    allmulticast_enable = 11,
    allmulticast_disable = 12,
    stats_get = 18,
    xstats_get = 20,
    xstats_get_names = 22,
    infos_get = 24,
    fw_version_get = 29,
    rx_queue_setup = 41,
    tx_queue_setup = 45,
    flow_ctrl_get = 50,
    flow_ctrl_set = 51,
    priority_flow_ctrl_set = 52,
    priority_flow_ctrl_queue_info_get = 53,
    priority_flow_ctrl_queue_config = 54,
    flow_ops_get = 70,
    get_dcb_info = 71,
};

// Before which of them releases have put more.
inline constexpr unsigned driver_release =
    sluice::pmd::built_with.year * 100 + sluice::pmd::built_with.month;
constexpr unsigned place_of(DriverCall call) {
    unsigned place = static_cast<unsigned>(call);
    if (driver_release >= 2311 && call >= DriverCall::fw_version_get) place += 1;
    if (driver_release >= 2411 && call >= DriverCall::promiscuous_enable) place += 3;
    if (driver_release >= 2607 && call >= DriverCall::flow_ops_get) place += 1;
    return place;
}

struct eth_dev_ops {
    std::array<void (*)(), 160> calls;

    template <class Call>
    void set(DriverCall place, Call* call) {
        calls[place_of(place)] = reinterpret_cast<void (*)()>(call);
    }
};

// The calls that a driver has for flow rules, in their order.
struct rte_flow_ops {
    void (*validate)();
    rte_flow* (*create)(rte_eth_dev*, const rte_flow_attr*, const rte_flow_item*,
                        const rte_flow_action*, rte_flow_error*);
    std::array<void (*)(), 40> more;
};

struct rte_eth_dev {
    eth_rx_burst_t rx_pkt_burst;
    eth_tx_burst_t tx_pkt_burst;
    // 23.11 has two that recycle, and 24.03 one more that counts.
    void* other_calls[driver_release >= 2403 ? 7 : driver_release >= 2311 ? 6 : 4];
    rte_eth_dev_data* data;
    void* process_private;
    const eth_dev_ops* dev_ops;
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
    const void* flow_calls;
#endif
    rte_device* device;
};

extern "C" {
rte_eth_dev* rte_eth_dev_allocate(const char* name);
rte_eth_dev* rte_eth_dev_allocated(const char* name);
void rte_eth_dev_probing_finish(rte_eth_dev* dev);
int rte_eth_dev_release_port(rte_eth_dev* dev);
void rte_vdev_register(rte_vdev_driver* driver);
}
