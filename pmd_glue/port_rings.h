// Port rings: how long the rings of a device are, as far as both who opens it and who sets its
// queues up have to know. For port.cc and port_queues.cc alone.
#pragma once

#include <rte_errno.h>

#include <algorithm>
#include <string>

#include "pmd_glue/port.h"

namespace sluice::pmd {

// These have rings of one size both ways, or one ring for two ends.
inline unsigned common_ring(const PortRequest& request) {
    return std::max(request.rx_descriptors, request.tx_descriptors);
}
inline bool has_common_ring(DeviceKind kind) {
    return kind == DeviceKind::ring || kind == DeviceKind::memif;
}

inline std::string failure(int result) { return std::string(" (") + rte_strerror(-result) + ")"; }

}  // namespace sluice::pmd
