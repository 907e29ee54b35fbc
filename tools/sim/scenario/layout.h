// Layout: which cable is plugged in where: switches whose ports are handed out, and the topologies
// that have a name, written out.
//
//   star        s0 with h0, h1, ...
//   chain       s0 - s1 - ..., each with its hosts
//   ring        the same, and the last beside the first
//   leaf-spine  leaf0, ... with their hosts, each beside each of spine0, ...
//   fat tree    three tiers (Al-Fares et al., SIGCOMM 2008): in each pod tor0, ... with their
//               hosts, each beside each agg0, ... of the pod; these beside core0, ..., the first of
//               each pod beside the first cores, the second beside the next as many
// Hosts are numbered through, and at a switch they come before its neighbours.
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
    std::optional<Fields> own;  // the file's keys for this switch alone
    std::vector<std::optional<Cable>> ports{};
    bool counted = false;  // the file says how many there are

    // Returns nothing if the port is taken, or none is free. Without `wanted`: the first free one.
    std::optional<PortIndex> plug(const Cable& cable, std::optional<PortIndex> wanted);
};

struct Layout {
    std::vector<SwitchDraft> switches;
    std::vector<HostSpec> hosts;
    std::vector<LinkSpec> links;

    // All cables are `cable`, except those between switches if `trunk_of` reads another from the
    // topology. False: the topology is wrong, so the hosts are not known.
    using TrunkOf = std::function<Cable(Fields& trunk)>;
    bool make_topology(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);

  private:
    void add_switches(const std::string& name, std::size_t count, std::size_t hosts,
                      const Cable& cable);
    bool make_leaf_spine(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);
    bool make_fat_tree(Fields& topology, const Cable& cable, const TrunkOf& trunk_of);
    void link(std::size_t from, std::size_t to, const Cable& cable, bool one_way);
};

// The choice among equal paths.
enum class Ways : uint8_t { receiver, flow };

// Makes static entries for every host in every switch: a shortest path, chosen among equal ones by
// the number of the host, or by the flow. By flow, a set of ports becomes an aggregation if every
// host reached by one of the ports is reached by all of them. Returns the switches' distances,
// [host][switch]; -1: there is no path.
std::vector<std::vector<int>> find_ways(NetworkScenario& scenario, Ways by = Ways::receiver);

}  // namespace sluice::sim
