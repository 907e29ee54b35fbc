// IPFIX keys: the part of the schema (schema.h) about the export of counters: which, how often, and
// to which collectors. Used only by schema.cc.
#pragma once

#include <array>
#include <cstdint>

#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "config/protocols/sflow_keys.h"

namespace sluice::config::keys {

inline constexpr auto ipfix_keys = std::to_array<Key>({
    key(Kind::list, "collectors",
        "collectors of the messages, by UDP; 4739 is the port of IPFIX. Without one IPFIX is off",
        "[]", a_collector, 0, 4) |
        Is::distinct,
    key(Kind::time, "period",
        "interval of samples. A worker samples at the end of a poll, so no more often than it "
        "polls; with `workers.idle: yield` a worker without frames polls every 60us, or sleeps up "
        "to 10ms",
        "100us", 10'000, second) |
        Needs::ipfix,
    key(Kind::list, "ports",
        "names of ports: queues to these, and lossless groups of these, are exported",
        worked_out("all"), a_port_name, 1, max_ports) |
        Needs::ipfix | Is::distinct,
    key(Kind::list, "priorities", "which priorities are exported", worked_out("all"), a_priority, 1,
        max_priorities) |
        Needs::ipfix | Is::distinct,
    key(Kind::whole, "domain",
        "observation domain, by which a collector distinguishes switches at one address", "1", 1,
        UINT32_MAX) |
        Needs::ipfix | Is::or_zero,
    key(Kind::size, "mtu", "MTU of the path to the collectors: no message makes a longer IP packet",
        "1500B", 576, 9216) |
        Needs::ipfix,
    key(Kind::time, "templates",
        "interval of templates and names: a collector that starts later cannot decode data before "
        "it receives them",
        "10s", second, 3600 * second) |
        Needs::ipfix,
});

}  // namespace sluice::config::keys
