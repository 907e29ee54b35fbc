// Device limits: what a device cannot do by its kind, known before it is opened: names of kernel
// interfaces have 15 octets at the most, DPDK's own net_af_packet knows no provider's tags, and
// with a port of `af_xdp` every frame of the switch has to fit a page with what the kernel needs of
// it (pmd_glue/pool.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

inline constexpr int64_t longest_mtu_beside_xdp = 3520 - 22;  // without header and two tags

void check_device_limits(const Value& file, Report& report);

}  // namespace sluice::config
