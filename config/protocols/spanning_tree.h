// Spanning tree: reads the keys of the spanning tree, and checks the rules between them.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_spanning_tree(const Value& file, Report& report);

// Reads the settings from a valid file.
SpanningTreeConfig spanning_tree_config(const Value& file);
PortSpanningTreeConfig port_spanning_tree_config(const Value& port);
// Puts into the tree all ports that bridge frames, except tunnels and ports of other formats than
// standard Ethernet.
void join_spanning_tree(Configuration& built);

}  // namespace sluice::config
