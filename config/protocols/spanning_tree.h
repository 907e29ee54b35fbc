// Spanning tree: reads the keys about the spanning tree, and the rules between them.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_spanning_tree(const Value& file, Report& report);

// Reads them from a valid file.
SpanningTreeConfig spanning_tree_config(const Value& file);
PortSpanningTreeConfig port_spanning_tree_config(const Value& port);
// Which ports are in the tree: those of standard frames that are no tunnel and bridge frames.
void join_spanning_tree(Configuration& built);

}  // namespace sluice::config
