// sFlow keys: the part of the schema (schema.h) about sFlow: the samples and counters that
// collectors get. Used only by schema.cc and port_keys.h.
#pragma once

#include <array>
#include <cstdint>

#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr int64_t rarest_sampling = (1 << 24) - 1;

inline constexpr auto port_sflow_keys = std::to_array<Key>({
    {.name = "sampling",
     .kind = Kind::whole,
     .help = "replaces `sflow.sampling` for frames that this port receives; 0: none are sampled",
     .worked_out = "`sflow.sampling`",
     .needs = Needs::sflow,
     .lowest = 1,
     .highest = rarest_sampling,
     .or_zero = true},
});

inline constexpr std::array<Key, 1> a_collector = {{{.name = "collector", .kind = Kind::endpoint}}};

inline constexpr auto sflow_keys = std::to_array<Key>({
    {.name = "collectors",
     .kind = Kind::list,
     .help =
         "collectors of the datagrams, by UDP; 6343 is the port of sFlow. Without one sFlow is off",
     .fallback = "[]",
     .inside = a_collector,
     .most = 4,
     .distinct = true},
    {.name = "agent",
     .kind = Kind::text,
     .help = "IPv4 or IPv6 address that identifies the switch to collectors, whatever way "
             "datagrams come",
     .worked_out = "`lldp.management_address`, else what the first collector is reached from",
     .needs = Needs::sflow,
     .highest = 45},
    {.name = "sampling",
     .kind = Kind::whole,
     .help = "one frame in so many that a port receives, on average, is a flow sample; 0: none",
     .fallback = "4096",
     .needs = Needs::sflow,
     .lowest = 1,
     .highest = rarest_sampling,
     .or_zero = true},
    {.name = "header",
     .kind = Kind::whole,
     .help = "octets of a sampled frame that are sent",
     .fallback = "128",
     .needs = Needs::sflow,
     .lowest = 64,
     .highest = 256},
    {.name = "polling",
     .kind = Kind::time,
     .help = "interval of counter samples of a port; 0: none",
     .fallback = "20s",
     .needs = Needs::sflow,
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000,
     .or_zero = true},
});

}  // namespace sluice::config::keys
