// MIBs: converts a switch's answers to objects of IF-MIB (RFC 2863), BRIDGE-MIB (RFC 4188),
// Q-BRIDGE-MIB (RFC 4363) and LLDP-MIB (802.1AB-2005). README.md lists the objects.
//
// An object without a value in the switch has no instance, not a meaningless 0.
// Bound: instances grow with ports, VLANs and neighbours. Not done here: addresses (fdb_table.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/snmp/fields.h"
#include "tools/snmp/objects.h"
#include "tools/snmp/switch_state.h"

namespace sluice::snmp {

inline constexpr uint64_t most_vlans = 4094;

using Interfaces = std::vector<Interface>;

// Times in hundredths of a second of sysUpTime; 0 means before the first query.
struct InterfaceTimes {
    uint64_t changed = 0;        // last change of the interface's states
    uint64_t discontinuity = 0;  // last restart of the interface's counters
};

struct IfMibTimes {
    std::map<std::string, InterfaceTimes> interfaces;  // by name
    uint64_t table_changed = 0;
};

// `answers`: whether the switch answers; if not, its interfaces are notPresent.
void put_if_mib(Objects& objects, const Interfaces& interfaces, const IfMibTimes& times,
                bool answers);

// `tree`, `vlans` and `lldp`: replies of `sluice show` for these nouns. `now`: seconds since 1970.
void put_bridge_mib(Objects& objects, const Interfaces& interfaces, const Json& tree,
                    const Json& lldp, int64_t now);
void put_q_bridge_mib(Objects& objects, const Interfaces& interfaces, const Json& vlans);

// Assigns lldpRemIndex to neighbours. A neighbour keeps its index, which is never reused.
class RemoteIndices {
  public:
    // Returns the index of the neighbour `who` of a port.
    uint32_t of(uint32_t port, const std::string& who);
    // Forgets neighbours that were not passed to `of` since the last call.
    void forget_others();

  private:
    using Key = std::pair<uint32_t, std::string>;
    std::map<Key, uint32_t> known_;
    std::map<Key, uint32_t> seen_;
    uint32_t last_ = 0;
};

void put_lldp_mib(Objects& objects, const Interfaces& interfaces, const Json& lldp,
                  RemoteIndices& indices);

// Returns a bit for each port; the first is the highest bit of the first octet (PortList of RFC
// 4363).
std::string port_list(const Interfaces& interfaces, const Json& names);

}  // namespace sluice::snmp
