#include "tests/unit/pmd_glue/nic/test_nic.h"

#include <rte_devargs.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <new>
#include <string>

#include "tests/unit/pmd_glue/nic/driver_interface.h"
#include "tests/unit/pmd_glue/nic/test_nic_end.h"

namespace sluice::test_nic {
namespace {

constexpr std::array all = {
    Class{.driver = "net_ixgbe",
          .forwards = Forwards::as_ordered,
          .reads_back = true,
          .pfc = Pfc::after_start},
    Class{.driver = "net_ixgbe_vf", .sends_pauses_unseen = true},
    Class{.driver = "net_i40e",
          .forwards = Forwards::as_ordered,
          .starts_obeying = true,
          .drops_sent_pauses = true,
          .firmware = "6.01 0x800035cf 1.1747.0",
          .pfc = Pfc::at_configure},
    Class{.driver = "net_ice", .pfc = Pfc::in_octets},
    Class{.driver = "net_iavf", .drops_sent_pauses = true},
    Class{.driver = "net_e1000_em",
          .forwards = Forwards::as_ordered,
          .autoneg = Autoneg::as_given,
          .starts_obeying = true,
          .loses_at_start = true},
    Class{.driver = "net_e1000_igb",
          .forwards = Forwards::as_ordered,
          .autoneg = Autoneg::as_given,
          .starts_obeying = true,
          .loses_at_start = true},
    Class{.driver = "net_igc",
          .forwards = Forwards::as_ordered,
          .autoneg = Autoneg::as_given,
          .starts_obeying = true,
          .loses_at_start = true},
    Class{.driver = "mlx5_pci",
          .forwards = Forwards::ignores,
          .autoneg = Autoneg::zero,
          .starts_obeying = true,
          .sends_pauses_unseen = true},
    Class{.driver = "net_bnxt",
          .forwards = Forwards::ignores,
          .sends_pauses_unseen = true,
          .has_agent = true},
    Class{.driver = "net_ena", .sends_pauses_unseen = true, .has_allmulticast = false},
    Class{.driver = "net_virtio", .passes_pauses_on = true},
    Class{.driver = "net_vmxnet3", .passes_pauses_on = true},
    Class{.driver = "net_hns3",
          .forwards = Forwards::refuses,
          .starts_obeying = true,
          .sends_pauses_unseen = true},
    Class{.driver = "net_qede",
          .forwards = Forwards::ignores,
          .sends_pauses_unseen = true,
          .has_agent = true},
    Class{.driver = "net_cn9k",
          .forwards = Forwards::refuses,
          .sends_pauses_unseen = true,
          .pfc = Pfc::each_queue},
    Class{.driver = "net_cn10k",
          .forwards = Forwards::refuses,
          .sends_pauses_unseen = true,
          .pfc = Pfc::each_queue},
    Class{.driver = "net_sfc_efx", .forwards = Forwards::refuses, .sends_pauses_unseen = true},
};

uint16_t type_of(const rte_mbuf* frame) {
    const auto* const octets = rte_pktmbuf_mtod(frame, const uint8_t*);
    return static_cast<uint16_t>(octets[12] << 8 | octets[13]);
}

constexpr uint16_t mac_control = 0x8808;
constexpr uint16_t lldp = 0x88CC;

bool comes_in(const Nic& nic, const rte_mbuf* frame) {
    const uint16_t type = type_of(frame);
    if (type == lldp && nic.agent) return false;
    if (type == mac_control) {
        const bool ordered = nic.is->forwards == Forwards::as_ordered && nic.forwards;
        if (nic.mode != RTE_ETH_FC_NONE || !(ordered || nic.is->passes_pauses_on)) return false;
    }
    const bool group = (*rte_pktmbuf_mtod(frame, const uint8_t*) & 1) != 0;
    return nic.promiscuous || (group && nic.allmulticast);
}

// The PCP of a tagged frame; 0 without a tag.
std::size_t pcp_of(const rte_mbuf* frame) {
    constexpr uint16_t tagged = 0x8100;
    return type_of(frame) == tagged ? rte_pktmbuf_mtod(frame, const uint8_t*)[14] / 32U : 0U;
}

uint16_t receive(void* queue, rte_mbuf** frames, uint16_t count) {
    const Receiver& receiver = *static_cast<Receiver*>(queue);
    Nic& nic = *receiver.nic;
    if (receiver.of_class >= classes_of_dcb) return 0;
    const bool pauses = (nic.pauses >> receiver.of_class & 1) != 0 && !nic.pretends;
    if (pauses && rte_ring_full(nic.receives[receiver.of_class]) != 0) {
        ++nic.xoffs_sent[receiver.of_class];
    }
    uint16_t kept = 0;
    void* next = nullptr;
    while (kept < count && rte_ring_dequeue(nic.receives[receiver.of_class], &next) == 0) {
        auto* const frame = static_cast<rte_mbuf*>(next);
        if (comes_in(nic, frame)) {
            frames[kept++] = frame;
        } else {
            rte_pktmbuf_free(frame);
        }
    }
    return kept;
}

// A pause of a class that the peer, whose buffer is full, has just sent.
void receive_xoff(Nic& nic, std::size_t of_class) {
    const auto bit = static_cast<uint8_t>(1U << of_class);
    if ((nic.paused & bit) != 0) return;
    nic.paused |= bit;
    ++nic.xoffs_received[of_class];
}

// A frame that a NIC filters is reported as sent.
uint16_t transmit(void* queue, rte_mbuf** frames, uint16_t count) {
    const Sender& sender = *static_cast<Sender*>(queue);
    if (sender.full) return 0;
    Nic& nic = *sender.nic;
    for (uint16_t i = 0; i < count; ++i) {
        const bool kept_back = type_of(frames[i]) == mac_control &&
                               (nic.is->drops_sent_pauses || nic.is->sends_pauses_unseen);
        const std::size_t pcp = pcp_of(frames[i]);
        const std::size_t by = nic.has_classes && (nic.led >> pcp & 1) != 0 ? pcp : std::size_t{0};
        // The peer has paused this class, and the NIC obeys.
        const bool held = (nic.pauses >> by & 1) != 0 && !nic.pretends;
        if (held && rte_ring_full(nic.sends[by]) != 0) {
            receive_xoff(nic, by);
            return i;
        }
        nic.paused = static_cast<uint8_t>(nic.paused & ~(1U << by));
        if (kept_back || rte_ring_enqueue(nic.sends[by], frames[i]) != 0) {
            rte_pktmbuf_free(frames[i]);
        }
    }
    return count;
}

int configure(rte_eth_dev* dev) {
    Nic& nic = nic_of(dev);
    const bool even = dev->data->nb_rx_queues == dev->data->nb_tx_queues;
    if (nic.paired && !even) return -EINVAL;
    const rte_eth_conf& conf = dev->data->dev_conf;
    const bool dcb = (static_cast<uint32_t>(conf.rxmode.mq_mode) & RTE_ETH_MQ_RX_DCB_FLAG) != 0;
    nic.has_classes = dcb && nic.is->pfc != Pfc::none && nic.is->pfc != Pfc::each_queue;
    if (!nic.has_classes) return 0;
    if (conf.rx_adv_conf.dcb_rx_conf.nb_tcs != RTE_ETH_8_TCS) return -EINVAL;
    nic.led = 0xFF;
    const bool pfc = (conf.dcb_capability_en & RTE_ETH_DCB_PFC_SUPPORT) != 0;
    nic.pauses = pfc && nic.is->pfc != Pfc::in_octets ? 0xFF : 0;
    return 0;
}

int start(rte_eth_dev* dev) {
    Nic& nic = nic_of(dev);
    if (nic.is->pfc == Pfc::after_start) nic.pauses = 0;
    if (nic.is->loses_at_start) nic.forwards = false;
    if (nic.is->starts_obeying) nic.mode = RTE_ETH_FC_FULL;
    rte_eth_link& link = dev->data->dev_link;
    link.link_speed = RTE_ETH_SPEED_NUM_10G;
    link.link_duplex = RTE_ETH_LINK_FULL_DUPLEX;
    link.link_autoneg = RTE_ETH_LINK_AUTONEG;
    link.link_status = nic.has_link ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN;
    return 0;
}

int stop(rte_eth_dev*) { return 0; }

int close(rte_eth_dev* dev) {
    void* frame = nullptr;
    for (rte_ring* const ring : nic_of(dev).receives) {
        while (rte_ring_dequeue(ring, &frame) == 0) {
            rte_pktmbuf_free(static_cast<rte_mbuf*>(frame));
        }
    }
    return 0;
}

int link_update(rte_eth_dev* dev, int) {
    Nic& nic = nic_of(dev);
    if (nic.settles_late && nic.has_link) nic.mode = nic.ordered;
    return 0;
}

int promiscuous_enable(rte_eth_dev* dev) { return nic_of(dev).promiscuous = true, 0; }
int promiscuous_disable(rte_eth_dev* dev) { return nic_of(dev).promiscuous = false, 0; }
int allmulticast_enable(rte_eth_dev* dev) { return nic_of(dev).allmulticast = true, 0; }
int allmulticast_disable(rte_eth_dev* dev) { return nic_of(dev).allmulticast = false, 0; }

int stats_get(rte_eth_dev*, rte_eth_stats*) { return 0; }

int infos_get(rte_eth_dev* dev, rte_eth_dev_info* info) {
    info->max_rx_queues = nic_of(dev).receiver_count;
    info->max_tx_queues = nic_of(dev).sender_count;
    info->max_rx_pktlen = 9728;
    return 0;
}

int fw_version_get(rte_eth_dev* dev, char* text, std::size_t size) {
    std::snprintf(text, size, "%s", nic_of(dev).firmware.data());
    return 0;
}

int rx_queue_setup(rte_eth_dev* dev, uint16_t queue, uint16_t, unsigned, const rte_eth_rxconf*,
                   rte_mempool*) {
    Nic& nic = nic_of(dev);
    std::size_t of_class = queue;
    if (nic.is->pfc == Pfc::after_start) {
        const auto* const begin = std::ranges::find(ixgbe_receive, queue);
        of_class = static_cast<std::size_t>(begin - ixgbe_receive.begin());
    }
    nic.receivers[queue] = {.nic = &nic, .of_class = of_class};
    dev->data->rx_queues[queue] = &nic.receivers[queue];
    return 0;
}
int tx_queue_setup(rte_eth_dev* dev, uint16_t queue, uint16_t, unsigned, const rte_eth_txconf*) {
    Nic& nic = nic_of(dev);
    nic.senders[queue] = {.nic = &nic, .full = queue == 0 && nic.first_full};
    dev->data->tx_queues[queue] = &nic.senders[queue];
    return 0;
}

constexpr uint8_t given_autoneg = 1;

int flow_ctrl_get(rte_eth_dev* dev, rte_eth_fc_conf* conf) {
    const Nic& nic = nic_of(dev);
    conf->mode = static_cast<rte_eth_fc_mode>(nic.mode);
    conf->autoneg = given_autoneg;
    conf->pause_time = 0x680;
    if (nic.is->reads_back) conf->mac_ctrl_frame_fwd = nic.forwards ? 1 : 0;
    return 0;
}

int flow_ctrl_set(rte_eth_dev* dev, rte_eth_fc_conf* conf) {
    Nic& nic = nic_of(dev);
    if (conf->pause_time == 0) return -EINVAL;
    if (nic.is->autoneg == Autoneg::as_given && conf->autoneg != given_autoneg) return -ENOTSUP;
    if (nic.is->autoneg == Autoneg::zero && conf->autoneg != 0) return -EINVAL;
    if (nic.is->forwards == Forwards::refuses && conf->mac_ctrl_frame_fwd != 0) return -EINVAL;
    nic.ordered = conf->mode;
    if (!nic.stays_obeying && !nic.settles_late) nic.mode = conf->mode;
    nic.forwards = conf->mac_ctrl_frame_fwd != 0 && !nic.forgets;
    if (nic.is->pfc == Pfc::after_start) nic.pauses = 0;
    return 0;
}

eth_dev_ops calls_of(const Class& is) {
    eth_dev_ops calls{};
    calls.set(DriverCall::configure, configure);
    calls.set(DriverCall::start, start);
    calls.set(DriverCall::stop, stop);
    calls.set(DriverCall::close, close);
    calls.set(DriverCall::link_update, link_update);
    calls.set(DriverCall::promiscuous_enable, promiscuous_enable);
    calls.set(DriverCall::promiscuous_disable, promiscuous_disable);
    if (is.has_allmulticast) {
        calls.set(DriverCall::allmulticast_enable, allmulticast_enable);
        calls.set(DriverCall::allmulticast_disable, allmulticast_disable);
    }
    calls.set(DriverCall::stats_get, stats_get);
    calls.set(DriverCall::infos_get, infos_get);
    calls.set(DriverCall::fw_version_get, fw_version_get);
    calls.set(DriverCall::rx_queue_setup, rx_queue_setup);
    calls.set(DriverCall::tx_queue_setup, tx_queue_setup);
    if (is.forwards != Forwards::no_call) {
        calls.set(DriverCall::flow_ctrl_get, flow_ctrl_get);
        calls.set(DriverCall::flow_ctrl_set, flow_ctrl_set);
    }
    add_pfc_calls(is, calls);
    return calls;
}

// A driver and its table of calls, for as long as the program runs.
struct Driver {
    const Class* is = nullptr;
    std::string name;
    eth_dev_ops calls{};
    rte_vdev_driver vdev{};
};
std::array<Driver, all.size()> drivers;

// `key=value` in the arguments of a device; empty: it is not there.
std::string argument(const rte_vdev_device* device, std::string_view key) {
    const rte_devargs* const given = device->device.devargs;
    const std::string_view text = given != nullptr && given->args != nullptr ? given->args : "";
    const std::size_t at = text.find(key);
    if (at == text.npos || text.substr(at + key.size(), 1) != "=") return {};
    const std::string_view rest = text.substr(at + key.size() + 1);
    return std::string(rest.substr(0, rest.find(',')));
}

// The ring of that name, made by the first that asks for it.
rte_ring* ring(const std::string& name) {
    rte_ring* const found = rte_ring_lookup(name.c_str());
    if (found != nullptr) return found;
    return rte_ring_create(name.c_str(), 256, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
}

int probe(rte_vdev_device* device) {
    const std::string_view name = device->device.name;
    const auto driver = std::ranges::find_if(
        drivers, [&](const Driver& each) { return name.starts_with(each.name); });
    rte_eth_dev* const dev = rte_eth_dev_allocate(device->device.name);
    void* const memory = rte_zmalloc(nullptr, sizeof(Nic), 0);
    if (driver == drivers.end() || dev == nullptr || memory == nullptr) return -ENOMEM;
    Nic& nic = *new (memory) Nic;
    nic.is = driver->is;
    std::string firmware = argument(device, "firmware");
    if (firmware.empty()) firmware = driver->is->firmware;
    std::snprintf(nic.firmware.data(), nic.firmware.size(), "%s", firmware.c_str());
    nic.agent = driver->is->has_agent || argument(device, "agent") == "on";
    nic.stays_obeying = argument(device, "obeys") == "always";
    nic.settles_late = argument(device, "settles") == "late";
    nic.has_link = argument(device, "link") != "down";
    nic.forgets = argument(device, "forwards") == "never";
    nic.pretends = argument(device, "nopfc") == "yes";
    if (nic.is->pfc != Pfc::none) nic.receiver_count = nic.sender_count = most_queues;
    if (argument(device, "senders") == "1") nic.sender_count = 1;
    nic.paired = argument(device, "paired") == "yes";
    nic.first_full = argument(device, "full") == "first";
    const std::string cable = argument(device, "wire");
    const bool second = argument(device, "end") == "b";
    for (std::size_t of = 0; of < classes_of_dcb; ++of) {
        const std::string number = of == 0 ? "" : std::to_string(of);
        nic.receives[of] = ring(cable + (second ? "_to_b" : "_to_a") + number);
        nic.sends[of] = ring(cable + (second ? "_to_a" : "_to_b") + number);
    }
    dev->data->dev_private = &nic;
    dev->data->mac_addrs =
        static_cast<rte_ether_addr*>(rte_zmalloc(nullptr, sizeof(rte_ether_addr), 0));
    dev->data->mac_addrs->addr_bytes[0] = 2;
    dev->data->mac_addrs->addr_bytes[5] = second ? 2 : 1;
    dev->device = &device->device;
    dev->dev_ops = &driver->calls;
    dev->rx_pkt_burst = receive;
    dev->tx_pkt_burst = transmit;
    rte_eth_dev_probing_finish(dev);
    return 0;
}

int remove(rte_vdev_device* device) {
    rte_eth_dev* const dev = rte_eth_dev_allocated(device->device.name);
    return dev == nullptr ? 0 : rte_eth_dev_release_port(dev);
}

// Before EAL starts, or as it loads this. A device is the first driver's whose name its own begins
// with, so the longest names go first.
void register_all() {
    for (std::size_t i = 0; i < all.size(); ++i) {
        Driver& driver = drivers[i];
        driver.is = &all[i];
        driver.name = all[i].driver;
        driver.calls = calls_of(all[i]);
    }
    std::ranges::sort(drivers, std::greater(), [](const Driver& each) { return each.name.size(); });
    for (Driver& driver : drivers) {
        driver.vdev.driver.name = driver.name.c_str();
        driver.vdev.probe = probe;
        driver.vdev.remove = remove;
        rte_vdev_register(&driver.vdev);
    }
}
const bool registered = (register_all(), true);

}  // namespace

std::span<const Class> classes() { return all; }

}  // namespace sluice::test_nic
