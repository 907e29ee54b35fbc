#include "pmd_glue/nic/lossless_queues.h"

#include <rte_ethdev.h>
#include <rte_flow.h>

#include <algorithm>

#include "pmd_glue/nic/flow_control.h"

namespace sluice::pmd::nic {
namespace {

constexpr std::size_t classes = RTE_ETH_DCB_NUM_TCS;
static_assert(classes == max_priorities);

// First queues of ixgbe's classes; ixgbe_dev_get_dcb_info also reports them, but only once DCB is
// configured.
constexpr uint16_t ixgbe_queues = 128;
constexpr std::array<uint16_t, classes> ixgbe_receive = {0, 16, 32, 48, 64, 80, 96, 112};
constexpr std::array<uint16_t, classes> ixgbe_send = {0, 32, 64, 80, 96, 104, 112, 120};

// Water marks within the 64 KiB that each of eight classes has in an 82599. The 24 KiB above the
// high mark take the frames that arrive until the peer stops: 10G over 40 m with jumbo frames needs
// 16 KiB (802.1Q annex N).
struct Marks {
    uint32_t high = 0;
    uint32_t low = 0;
};
constexpr Marks kib_of_82599{.high = 40, .low = 16};
// Values from ice's manual (doc/guides/nics/ice.rst of 25.11), which does not state how much room
// is above them.
constexpr Marks octets_of_ice{.high = 100'000, .low = 50'000};
constexpr uint16_t longest_pause = 0xFFFF;

std::string refusal(std::string_view what, int result) {
    return std::string(what) + " (" + rte_strerror(-result) + ")";
}

using Refused = tl::unexpected<std::string>;

LosslessQueues one_each() {
    LosslessQueues queues;
    for (uint16_t priority = 0; priority < max_priorities; ++priority) {
        queues.receive[priority] = queues.send[priority] = priority;
    }
    return queues;
}

tl::expected<LosslessQueues, std::string> queues_of_classes(uint16_t ethdev) {
    rte_eth_dcb_info info{};
    if (const int result = rte_eth_dev_get_dcb_info(ethdev, &info); result != 0) {
        return Refused(refusal("it does not report the queues of its classes", result));
    }
    LosslessQueues queues;
    PrioritySet seen = 0;
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        const uint8_t of = info.prio_tc[priority];
        const bool alone = of < info.nb_tcs && (seen & only_priority(of)) == 0;
        if (!alone) return Refused("it has no class for each priority");
        seen |= only_priority(of);
        queues.receive[priority] = info.tc_queue.tc_rxq[0][of].base;
        queues.send[priority] = info.tc_queue.tc_txq[0][of].base;
    }
    return queues;
}

std::optional<std::string> pause_by_priority(uint16_t ethdev, PrioritySet lossless,
                                             const Marks& marks) {
    std::optional<std::string> refused;
    for_each_priority(lossless, [&](Priority priority) {
        rte_eth_pfc_conf conf{};
        conf.priority = priority;
        conf.fc.mode = RTE_ETH_FC_FULL;
        conf.fc.high_water = marks.high;
        conf.fc.low_water = marks.low;
        conf.fc.pause_time = longest_pause;
        conf.fc.send_xon = 1;
        const int result = rte_eth_dev_priority_flow_ctrl_set(ethdev, &conf);
        if (result != 0) refused = refusal("it refuses PFC of a priority", result);
    });
    return refused;
}

// Makes the device put frames whose PCP is `priority` into the queue of the same number. Untagged
// frames use queue 0, like all frames that no rule steers.
std::optional<std::string> steer_to_queue(uint16_t ethdev, Priority priority) {
    constexpr unsigned pcp_shift = 13;
    rte_flow_item_vlan wanted{};
    rte_flow_item_vlan looked_at{};
    wanted.tci = rte_cpu_to_be_16(static_cast<uint16_t>(priority << pcp_shift));
    looked_at.tci = rte_cpu_to_be_16(0xE000);
    const std::array<rte_flow_item, 3> pattern = {
        rte_flow_item{
            .type = RTE_FLOW_ITEM_TYPE_ETH, .spec = nullptr, .last = nullptr, .mask = nullptr},
        rte_flow_item{
            .type = RTE_FLOW_ITEM_TYPE_VLAN, .spec = &wanted, .last = nullptr, .mask = &looked_at},
        rte_flow_item{
            .type = RTE_FLOW_ITEM_TYPE_END, .spec = nullptr, .last = nullptr, .mask = nullptr}};
    const rte_flow_action_queue queue{.index = priority};
    const std::array<rte_flow_action, 2> actions = {
        rte_flow_action{.type = RTE_FLOW_ACTION_TYPE_QUEUE, .conf = &queue},
        rte_flow_action{.type = RTE_FLOW_ACTION_TYPE_END, .conf = nullptr}};
    rte_flow_attr attributes{};
    attributes.ingress = 1;
    rte_flow_error error{};
    if (rte_flow_create(ethdev, &attributes, pattern.data(), actions.data(), &error) != nullptr) {
        return std::nullopt;
    }
    return std::string("it cannot steer a PCP to a queue (") +
           (error.message != nullptr ? error.message : "no reason is reported") + ")";
}

// An experimental function of DPDK: it may change, and the compiler warns about a call.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::optional<std::string> pause_by_queue(uint16_t ethdev, Priority priority) {
    rte_eth_pfc_queue_conf conf{};
    conf.mode = RTE_ETH_FC_FULL;
    conf.rx_pause.tx_qid = priority;
    conf.rx_pause.tc = priority;
    conf.tx_pause.rx_qid = priority;
    conf.tx_pause.tc = priority;
    conf.tx_pause.pause_time = longest_pause;
    const int result = rte_eth_dev_priority_flow_ctrl_queue_configure(ethdev, &conf);
    if (result == 0) return std::nullopt;
    return refusal("it refuses PFC of a queue", result);
}
#pragma GCC diagnostic pop

}  // namespace

uint16_t queues_to_open(const DriverRow& row) {
    return row.queues == Queues::dcb_anew ? ixgbe_queues : uint16_t{max_priorities};
}

bool is_used(const DriverRow& row, uint16_t queue, bool sends) {
    if (row.queues != Queues::dcb_anew) return true;
    return std::ranges::find(sends ? ixgbe_send : ixgbe_receive, queue) !=
           (sends ? ixgbe_send : ixgbe_receive).end();
}

std::optional<std::string> why_not(const DriverRow& row, uint16_t pci_device, Release release) {
    if (row.queues == Queues::none) {
        return "its driver (" + std::string(row.name.empty() ? "without a row" : row.name) +
               ") has no queue for each priority with PFC of its own";
    }
    // For an X540 and later the driver does not set the bits that make a class obey PFC.
    constexpr std::array<uint16_t, 15> of_82599 = {0x10F7, 0x1514, 0x1517, 0x10F8, 0x10F9,
                                                   0x10FB, 0x152A, 0x1529, 0x1507, 0x154D,
                                                   0x154A, 0x1558, 0x1557, 0x10FC, 0x151C};
    // Only a device in a test has no PCI device id.
    if (pci_device == 0) return std::nullopt;
    if (release < row.queues_since) {
        const auto name = [](Release of) {
            return std::to_string(of.year) + "." + std::to_string(of.month);
        };
        return "its driver has queues with PFC of their own from DPDK " + name(row.queues_since) +
               " on, and this is " + name(release);
    }
    if (row.queues == Queues::dcb_anew && std::ranges::find(of_82599, pci_device) == of_82599.end())
        return "of its driver's NICs only an 82599 obeys PFC by priority";
    return std::nullopt;
}

void ask_for_queues(const DriverRow& row, rte_eth_conf& conf) {
    if (row.queues == Queues::plain || row.queues == Queues::each_queue) return;
    conf.rxmode.mq_mode = RTE_ETH_MQ_RX_DCB;
    conf.txmode.mq_mode = RTE_ETH_MQ_TX_DCB;
    conf.dcb_capability_en = RTE_ETH_DCB_PG_SUPPORT | RTE_ETH_DCB_PFC_SUPPORT;
    rte_eth_dcb_rx_conf& receive = conf.rx_adv_conf.dcb_rx_conf;
    rte_eth_dcb_tx_conf& send = conf.tx_adv_conf.dcb_tx_conf;
    receive.nb_tcs = send.nb_tcs = RTE_ETH_8_TCS;
    for (uint8_t priority = 0; priority < max_priorities; ++priority) {
        receive.dcb_tc[priority] = send.dcb_tc[priority] = priority;
    }
}

tl::expected<LosslessQueues, std::string> set_queues(uint16_t ethdev, const DriverRow& row,
                                                     PrioritySet lossless) {
    std::optional<std::string> refused;
    switch (row.queues) {
        case Queues::none:
            return Refused("its driver has no queue for each priority");
        case Queues::plain:
            return one_each();
        case Queues::dcb:
            return queues_of_classes(ethdev);
        case Queues::dcb_anew:
            // Turns off 802.3x first, because that turns off PFC as well.
            turn_link_pauses_off(ethdev);
            refused = pause_by_priority(ethdev, lossless, kib_of_82599);
            if (refused) return Refused(*refused);
            return queues_of_classes(ethdev);
        case Queues::dcb_octets:
            refused = pause_by_priority(ethdev, lossless, octets_of_ice);
            if (refused) return Refused(*refused);
            return queues_of_classes(ethdev);
        case Queues::each_queue:
            turn_link_pauses_off(ethdev);
            for (Priority priority = 1; priority < max_priorities && !refused; ++priority) {
                refused = steer_to_queue(ethdev, priority);
            }
            for_each_priority(lossless, [&](Priority priority) {
                if (!refused) refused = pause_by_queue(ethdev, priority);
            });
            if (refused) return Refused(*refused);
            return one_each();
    }
    return Refused("its driver has no queue for each priority");
}

}  // namespace sluice::pmd::nic
