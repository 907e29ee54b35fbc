// Layout: assigns cables to the ports of switches, and expands named topologies.
//
//   star        s0 with h0, h1, ...
//   chain       s0 - s1 - ..., each with its hosts
//   ring        a chain whose last switch is linked to the first
//   leaf-spine  leaf0, ... with their hosts, each linked to each of spine0, ...
//   fat tree    three tiers (Al-Fares et al., SIGCOMM 2008): each pod has tor0, ... with their
//               hosts, each linked to each agg0, ... of the pod. The first agg of each pod is
//               linked to the first cores, the second to the next ones, and so on
// Hosts are numbered through all switches. On each switch, hosts have the lower ports, and links
// the higher ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/sim/network/network.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

struct SwitchDraft {
    std::string name;
    std::optional<Fields> own;  // the file's keys for this switch
    std::vector<std::optional<Cable>> ports{};
    bool counted = false;  // the file has the number of ports

    // Connects `cable` to the port `wanted`, or to the first free port if there is no `wanted`.
    // Returns the port; nothing if `wanted` is taken, or no port is free.
    std::optional<PortIndex> plug(const Cable& cable, std::optional<PortIndex> wanted);
};

struct Layout {
    std::vector<SwitchDraft> switches;
    std::vector<HostSpec> hosts;
    std::vector<LinkSpec> links;

    // Makes a named topology. All cables are `cable`, except those between switches if `trunk_of`
    // reads another one from the topology. Returns false if the topology is wrong; the hosts
    // are then unknown.
    using TrunkOf = std::function<Cable(Fields& trunk)>;
    bool make_topology(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);

  private:
    void add_switches(const std::string& name, std::size_t count, std::size_t hosts,
                      const Cable& cable);
    bool make_leaf_spine(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);
    bool make_fat_tree(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);
    void link(std::size_t from, std::size_t to, const Cable& cable, bool one_way);
};

// Which of several equal paths a frame takes.
enum class Ways : uint8_t { receiver, flow };

// Adds static entries for every host to every switch. The entries use a shortest path. The number
// of the host chooses among equal paths; with Ways::flow each flow chooses. For that, a set of
// ports becomes an aggregation if every host reached by one of the ports is reached by all of them.
// Returns the distances of the switches, [host][switch]; -1 if there is no path.
std::vector<std::vector<int>> find_ways(NetworkScenario& scenario, Ways by = Ways::receiver);

}  // namespace sluice::sim
