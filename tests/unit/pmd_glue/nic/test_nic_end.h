// Test NIC end: one end of a test NIC's cable, and what it was set to.
#pragma once

#include <rte_ethdev.h>
#include <rte_ring.h>

#include <array>
#include <cstdint>

#include "tests/unit/pmd_glue/nic/driver_interface.h"
#include "tests/unit/pmd_glue/nic/test_nic.h"

namespace sluice::test_nic {

inline constexpr uint16_t few_senders = 4;
inline constexpr uint16_t most_queues = 128;
inline constexpr std::size_t classes_of_dcb = 8;
// For an ixgbe with eight classes: the first queue of each class.
inline constexpr std::array<uint16_t, classes_of_dcb> ixgbe_receive = {0,  16, 32, 48,
                                                                       64, 80, 96, 112};
inline constexpr std::array<uint16_t, classes_of_dcb> ixgbe_send = {0,  32,  64,  80,
                                                                    96, 104, 112, 120};

// A queue that it sends by.
struct Sender {
    struct Nic* nic = nullptr;
    bool full = false;
};
// A receive queue of a class; of none, if the device has no such class.
struct Receiver {
    struct Nic* nic = nullptr;
    std::size_t of_class = 0;
};

// One end of a cable.
struct Nic {
    const Class* is = nullptr;
    std::array<Sender, most_queues> senders{};
    std::array<Receiver, most_queues> receivers{};
    uint16_t receiver_count = 1;
    uint16_t sender_count = few_senders;
    bool has_classes = false;  // DCB is on, or rules are there
    uint8_t led = 1;           // PCPs that come by a queue of their own
    uint8_t pauses = 0;        // classes that it pauses and obeys
    bool pretends = false;     // to do PFC
    uint8_t paused = 0;        // classes that its peer has paused
    std::array<uint64_t, classes_of_dcb> xoffs_received{};
    std::array<uint64_t, classes_of_dcb> xoffs_sent{};
    bool paired = false;      // as many senders as receivers, or none
    bool first_full = false;  // its ring, for ever
    std::array<char, 32> firmware{};
    uint32_t mode = RTE_ETH_FC_NONE;
    bool forwards = false;
    bool stays_obeying = false;  // flow control does not go off
    bool settles_late = false;   // the mode holds once the link was looked at
    uint32_t ordered = RTE_ETH_FC_NONE;
    bool has_link = true;
    bool forgets = false;  // it takes the order to forward and does not
    bool agent = false;
    bool promiscuous = false;
    bool allmulticast = false;
    std::array<rte_ring*, classes_of_dcb> receives{};
    std::array<rte_ring*, classes_of_dcb> sends{};
};

inline Nic& nic_of(const rte_eth_dev* dev) { return *static_cast<Nic*>(dev->data->dev_private); }

// Adds the calls for PFC by queue, if the class has it (test_nic_pfc.cc).
void add_pfc_calls(const Class& is, eth_dev_ops& calls);

}  // namespace sluice::test_nic
