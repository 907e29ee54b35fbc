// IPFIX keys: the part of the schema (schema.h) about the export of counters: which, how often, and
// to which collectors. Used only by schema.cc.
#pragma once

#include <array>
#include <cstdint>

#include "config/port/key_parts.h"
#include "config/protocols/sflow_keys.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto ipfix_keys = std::to_array<Key>({
    {.name = "collectors",
     .kind = Kind::list,
     .help =
         "collectors of the messages, by UDP; 4739 is the port of IPFIX. Without one IPFIX is off",
     .fallback = "[]",
     .inside = a_collector,
     .most = 4,
     .distinct = true},
    {.name = "period",
     .kind = Kind::time,
     .help = "interval of samples. A worker samples at the end of a poll, so no more often than it "
             "polls; with `workers.idle: yield` a worker without frames polls every 60us, or "
             "sleeps up to 10ms",
     .fallback = "100us",
     .needs = Needs::ipfix,
     .lowest = 10'000,
     .highest = second},
    {.name = "ports",
     .kind = Kind::list,
     .help = "names of ports: queues to these, and lossless groups of these, are exported",
     .worked_out = "all",
     .needs = Needs::ipfix,
     .inside = a_port_name,
     .fewest = 1,
     .most = max_ports,
     .distinct = true},
    {.name = "priorities",
     .kind = Kind::list,
     .help = "which priorities are exported",
     .worked_out = "all",
     .needs = Needs::ipfix,
     .inside = a_priority,
     .fewest = 1,
     .most = max_priorities,
     .distinct = true},
    {.name = "domain",
     .kind = Kind::whole,
     .help = "observation domain, by which a collector tells switches behind one address apart",
     .fallback = "1",
     .needs = Needs::ipfix,
     .lowest = 1,
     .highest = UINT32_MAX,
     .or_zero = true},
    {.name = "mtu",
     .kind = Kind::size,
     .help = "MTU of the path to the collectors: no message makes a longer IP packet",
     .fallback = "1500B",
     .needs = Needs::ipfix,
     .lowest = 576,
     .highest = 9216},
    {.name = "templates",
     .kind = Kind::time,
     .help = "interval of templates and names: a collector that starts later understands nothing "
             "before it gets them",
     .fallback = "10s",
     .needs = Needs::ipfix,
     .lowest = second,
     .highest = 3600 * second},
});

}  // namespace sluice::config::keys
