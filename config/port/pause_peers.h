// Pause peers: reads which stations' pause frames a port obeys, and checks the rules between those
// keys.
//
// Not done here: finding the neighbour, which a running switch does by LLDP (control/publish.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/pause_peers.h"

namespace sluice::config {

// Checks that a strict port receives LLDP. To be called after the keys were read.
void check_pause_peers(const Value& file, Report& report);

// Reads the settings from a valid file.
PausePeers pause_peers(const Value& pfc);

}  // namespace sluice::config
