// Flow control: rules of who pauses and obeys at a port: PFC that the build has, one kind of it,
// and what a NIC that does it by itself (`pfc: {by: nic}`) leaves nothing of.
// Not done here: whether the device can (pmd_glue/nic/lossless_queues.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_flow_control(const Value& port, Report& report);

// Whether its device pauses its peer and obeys it, by a queue a priority.
bool pauses_by_nic(const Value& port);

}  // namespace sluice::config
