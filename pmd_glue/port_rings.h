// Port rings: the ring lengths of a device, as far as port.cc, which opens it, and port_queues.cc,
// which sets up its queues, both need them. For these two alone.
#pragma once

#include <rte_errno.h>

#include <algorithm>
#include <string>

#include "pmd_glue/port.h"

namespace sluice::pmd {

// The size of the ring of a device with a common ring (config/device_kind.h).
inline unsigned common_ring(const PortRequest& request) {
    return std::max(request.rx_descriptors, request.tx_descriptors);
}

inline std::string failure(int result) { return std::string(" (") + rte_strerror(-result) + ")"; }

}  // namespace sluice::pmd
