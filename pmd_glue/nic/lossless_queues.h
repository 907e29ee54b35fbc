// Lossless queues: a receive and a transmit queue for each priority, on a port whose device sends
// and obeys PFC by itself (`pfc: {by: nic}`, dataplane/pfc/queue_backpressure.h).
//
// The driver table states how a device does it (`DriverRow::queues`):
//   plain        `ring:` and `memif:` with `queues=8`: queue n is priority n, both ways. Nothing
//                has to be set. The other end must be in this mode too: a queue that the other end
//                does not drain is then full for this end. For tests, and two switches on one
//                machine
//   dcb          DCB with eight classes, one for each priority, and PFC for all, set by configure
//                (i40e, whose firmware does PFC for the first classes, as many as are configured:
//                so there are eight, and priority n is class n)
//   dcb_anew     DCB as above, and PFC set again for each lossless priority after every start,
//                which clears it (ixgbe). It has 16 receive queues a class, so 128 are opened; only
//                the first of each class is used
//   dcb_octets   DCB with eight classes, and PFC for each lossless priority set after every start
//                (ice from DPDK 25.11 on; a card that divides its classes among many ports has
//                four, and refuses)
//   each_queue   PFC for each queue, and a flow rule for each priority that steers its PCP to its
//                queue (cnxk)
// A device with DCB reports the class of each queue. A NIC takes a frame's class from its PCP; an
// untagged frame is in class 0.
// A NIC pauses when the buffer of a class is filled up to a mark; its headroom is the buffer above
// the mark. A queue that is not drained must hold frames back and not drop them. These drivers do
// so by default (ixgbe with DCB only without VFs; for i40e this is inferred from the class being
// lossless and not documented).
// Rows are from the sources of DPDK 22.11, or of the release that they name, and were not tested on
// hardware.
// Not done here: opening (port.cc), and choosing the queues to poll (dataplane/poll.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "dataplane/types/limits.h"
#include "pmd_glue/nic/driver_table.h"

struct rte_eth_conf;

namespace sluice::pmd::nic {

// Queues that a port needs.
struct QueuesAsked {
    bool by_nic = false;
    PrioritySet lossless = 0;
};

// Queue numbers by priority.
struct LosslessQueues {
    std::array<uint16_t, max_priorities> receive{};
    std::array<uint16_t, max_priorities> send{};
};

// Returns how many queues a device with a queue for each priority opens in each direction. Unused
// queues are small (config/device_buffers.h).
uint16_t queues_to_open(const DriverRow& row);
// Whether the queue belongs to a priority.
bool is_used(const DriverRow& row, uint16_t queue, bool sends);

// Returns why a device of this row cannot have a queue for each priority; nothing if it can.
// `pci_device`: the PCI device id, or 0; `release`: the release of DPDK.
std::optional<std::string> why_not(const DriverRow& row, uint16_t pci_device, Release release);

// Call it before the device is configured.
void ask_for_queues(const DriverRow& row, rte_eth_conf& conf);
// Call it after every start. The error is what the device refused.
tl::expected<LosslessQueues, std::string> set_queues(uint16_t ethdev, const DriverRow& row,
                                                     PrioritySet lossless);

}  // namespace sluice::pmd::nic
