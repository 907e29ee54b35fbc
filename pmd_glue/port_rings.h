// Port rings: how long the rings of a device are, as far as both who opens it and who sets its
// queues up have to know. For port.cc and port_queues.cc alone.
#pragma once

#include <rte_errno.h>

#include <algorithm>
#include <string>

#include "pmd_glue/port.h"

namespace sluice::pmd {

// Of a device with a common ring (config/device_kind.h).
inline unsigned common_ring(const PortRequest& request) {
    return std::max(request.rx_descriptors, request.tx_descriptors);
}

inline std::string failure(int result) { return std::string(" (") + rte_strerror(-result) + ")"; }

}  // namespace sluice::pmd
