// Port rings: helpers for ring lengths and errors that port.cc, which opens a device, and
// port_queues.cc, which sets up its queues, share. No other file uses them.
#pragma once

#include <rte_errno.h>

#include <algorithm>
#include <string>

#include "pmd_glue/port.h"

namespace sluice::pmd {

// Returns the length of the ring of a device with one common ring (config/device_kind.h).
inline unsigned common_ring(const PortRequest& request) {
    return std::max(request.rx_descriptors, request.tx_descriptors);
}

inline std::string failure(int result) { return std::string(" (") + rte_strerror(-result) + ")"; }

}  // namespace sluice::pmd
