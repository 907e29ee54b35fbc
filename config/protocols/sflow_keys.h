// sFlow keys: the part of the schema (schema.h) about sFlow: the samples and counters that
// collectors get. Used only by schema.cc and port_keys.h.
#pragma once

#include <array>
#include <cstdint>

#include "config/key_row.h"

namespace sluice::config::keys {

inline constexpr int64_t rarest_sampling = (1 << 24) - 1;

inline constexpr auto port_sflow_keys = std::to_array<Key>({
    key(Kind::whole, "sampling",
        "replaces `sflow.sampling` for frames that this port receives; 0: none are sampled",
        worked_out("`sflow.sampling`"), 1, rarest_sampling) |
        Needs::sflow | Is::or_zero,
});

inline constexpr std::array<Key, 1> a_collector = {{{.name = "collector", .kind = Kind::endpoint}}};

inline constexpr auto sflow_keys = std::to_array<Key>({
    key(Kind::list, "collectors",
        "collectors of the datagrams, by UDP; 6343 is the port of sFlow. Without one sFlow is off",
        "[]", a_collector, 0, 4) |
        Is::distinct,
    key(Kind::text, "agent",
        "IPv4 or IPv6 address that identifies the switch to collectors, independent of the path of "
        "the datagrams",
        worked_out("`lldp.management_address`, else the local address towards the first collector"),
        0, 45) |
        Needs::sflow,
    key(Kind::whole, "sampling",
        "one frame in so many that a port receives, on average, is a flow sample; 0: none", "4096",
        1, rarest_sampling) |
        Needs::sflow | Is::or_zero,
    key(Kind::whole, "header", "octets of a sampled frame that are sent", "128", 64, 256) |
        Needs::sflow,
    key(Kind::time, "polling", "interval of counter samples of a port; 0: none", "20s",
        1'000'000'000, 3'600'000'000'000) |
        Needs::sflow | Is::or_zero,
});

}  // namespace sluice::config::keys
