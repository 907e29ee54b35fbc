// Device limits: checks limits of a device's kind that are known before it is opened. Names of
// kernel interfaces have at most 15 octets. DPDK's own net_af_packet does not know service tags.
// With a port of `af_xdp`, every frame of the switch has to fit a page, together with the room that
// the kernel needs there (pmd_glue/pool.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// A frame has at most 3520 octets; 22 of them are its header and two tags.
inline constexpr int64_t longest_mtu_beside_xdp = 3520 - 22;

void check_device_limits(const Value& file, Report& report);

}  // namespace sluice::config
