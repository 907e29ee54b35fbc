// Metrics keys: the part of the schema (schema.h) about HTTP: the address, the access, the other
// switches on the page, and the origins whose pages may read it. Used only by schema.cc.
#pragma once

#include <array>

#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto other_switch_keys = std::to_array<Key>({
    {.name = "name", .kind = Kind::name, .help = "what the page calls it", .required = true},
    {.name = "url",
     .kind = Kind::origin,
     .help = "where its `metrics.listen` is, as the browser reaches it; there `metrics.allow` "
             "names this switch",
     .required = true},
});
inline constexpr std::array<Key, 1> an_other_switch = {
    {{.name = "switches", .kind = Kind::map, .inside = other_switch_keys}}};
inline constexpr std::array<Key, 1> an_origin = {{{.name = "origin", .kind = Kind::origin}}};

inline constexpr auto tls_keys = std::to_array<Key>({
    {.name = "certificate",
     .kind = Kind::text,
     .help = "a PEM file: the certificate, and behind it those that signed it; read at the start",
     .worked_out = "none: HTTP without TLS",
     .restart = true,
     .highest = 255},
    {.name = "key",
     .kind = Kind::text,
     .help = "a PEM file: its key, without a passphrase; read at the start",
     .worked_out = "none",
     .restart = true,
     .highest = 255},
});

inline constexpr auto metrics_keys = std::to_array<Key>({
    {.name = "listen",
     .kind = Kind::endpoint,
     .help = "where `sluiced` answers HTTP: a page, metrics, the JSON of `sluice show`, events; "
             "read-only for all who reach it",
     .worked_out = "nowhere",
     .restart = true},
    {.name = "tls",
     .kind = Kind::map,
     .help = "HTTPS in place of HTTP (TLS 1.2 and 1.3)",
     .inside = tls_keys},
    {.name = "token_file",
     .kind = Kind::text,
     .help = "a file with a secret of 16 to 256 octets, read at the start; clients must send it, "
             "as bearer token, or as password from a browser",
     .worked_out = "none: all who reach it may read",
     .restart = true,
     .highest = 255},
    {.name = "topology",
     .kind = Kind::list,
     .help = "other switches that the page `/topology` shows beside this one: a browser reads "
             "them, this switch does not",
     .fallback = "[]",
     .inside = an_other_switch,
     .most = 32},
    {.name = "allow",
     .kind = Kind::list,
     .help = "origins whose pages a browser lets read what is here (CORS), such as the `/topology` "
             "of another switch",
     .fallback = "[]",
     .inside = an_origin,
     .most = 32,
     .distinct = true},
});

}  // namespace sluice::config::keys
