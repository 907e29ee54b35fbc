// Flow control: rules for the flow control of a port: PFC has to be in the build, only one kind is
// allowed, and some keys have no effect if a NIC does PFC by itself (`pfc: {by: nic}`), or if a
// port holds its peer back by its ring (`ring`).
// Not done here: capabilities of the device (pmd_glue/nic/lossless_queues.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_flow_control(const Value& port, Report& report);

// As it is written; else, for a device whose peers obey no pauses, by its ring.
PfcBy pauser_of(const Value& port);
// Whether the port's device pauses and obeys the peer, by a queue for each priority.
inline bool pauses_by_nic(const Value& port) { return pauser_of(port) == PfcBy::queues; }
// Whether the port pauses its peer without pause frames.
inline bool pauses_by_rings(const Value& port) { return pauser_of(port) != PfcBy::frames; }

}  // namespace sluice::config
