// Pause relays: checks and reads `pause_relay` of a tunnel: it names a port, and pauses that either
// of the two receives are relayed to the peer of the other (dataplane/pfc/pause_relay.h).
//
// One end is a tunnel and the other is not, and a port is an end of at most one relay, so no
// relayed pause returns within the switch. Both send pause frames, keep the priorities lossless and
// are polled by one worker.
// Not done here: the accepted sources of pauses at either end (`pfc.peer`, `pfc.strict`).
#pragma once

#include <map>
#include <string>

#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_pause_relays(const Value& file, const PortNames& names, Report& report);

// Writes both ends of each relay. To be called when the other settings of `ports` are complete.
void join_relays(const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices,
                 std::vector<PortSettings>& ports);

}  // namespace sluice::config
