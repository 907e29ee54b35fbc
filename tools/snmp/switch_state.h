// SwitchState: a running switch's answers in terms of the MIBs: interfaces and bridge ports.
//
// Interfaces are the ports and the aggregations. The number of a port in the bridge (dot1dBasePort)
// is its index plus one; that of an aggregation is the number of its first member plus 64. So both
// LLDP's data of a member port and the aggregation's FDB entries refer to an interface.
// Bound: 64 ports, each in at most one aggregation; further rows are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/snmp/fields.h"

namespace sluice::snmp {

inline constexpr uint32_t most_ports = 64;

struct Counters {
    uint64_t octets = 0;
    uint64_t frames = 0;
    uint64_t discards = 0;
    uint64_t errors = 0;

    friend bool operator==(const Counters&, const Counters&) = default;
};

struct Interface {
    enum class Kind : uint8_t { ethernet, tunnel, aggregation };
    enum class Link : uint8_t { up, down, gone };

    std::string name;
    std::string description;
    uint32_t if_index = 0;
    uint32_t number = 0;  // dot1dBasePort
    Kind kind = Kind::ethernet;
    std::string address;  // six octets
    uint64_t mtu = 0;
    uint64_t speed = 0;  // bits a second
    bool admin_up = false;
    Link link = Link::down;
    Counters in;
    Counters out;
};

// Returns the interfaces sorted by number. `ports` and `counters`: replies of `sluice show` for
// these nouns.
std::vector<Interface> interfaces_of(const Json& ports, const Json& counters);

// Returns 0 if no interface has that name.
uint32_t number_of(const std::vector<Interface>& interfaces, std::string_view name);

}  // namespace sluice::snmp
