// Metrics keys: the part of the schema (schema.h) about HTTP: the address, the access, the other
// switches on the page, and the origins whose pages may read the answers. Used only by schema.cc.
#pragma once

#include <array>

#include "config/key_row.h"

namespace sluice::config::keys {

inline constexpr auto other_switch_keys = std::to_array<Key>({
    {.name = "name", .kind = Kind::name, .help = "what the page calls it", .required = true},
    key(Kind::origin, "url",
        "where its `metrics.listen` is, as the browser reaches it; there `metrics.allow` names "
        "this switch") |
        Is::required,
});
inline constexpr std::array<Key, 1> an_other_switch = {
    {{.name = "switches", .kind = Kind::map, .inside = other_switch_keys}}};
inline constexpr std::array<Key, 1> an_origin = {{{.name = "origin", .kind = Kind::origin}}};

inline constexpr auto tls_keys = std::to_array<Key>({
    key(Kind::text, "certificate",
        "a PEM file: the certificate, followed by those that signed it; read at the start",
        worked_out("none: HTTP without TLS"), 0, 255) |
        Is::restart,
    key(Kind::text, "key", "a PEM file: its key, without a passphrase; read at the start",
        worked_out("none"), 0, 255) |
        Is::restart,
});

inline constexpr auto metrics_keys = std::to_array<Key>({
    key(Kind::endpoint, "listen",
        "where `sluiced` answers HTTP: a page, metrics, the JSON of `sluice show`, events; "
        "read-only for all who reach it",
        worked_out("nowhere")) |
        Is::restart,
    key(Kind::map, "tls", "HTTPS in place of HTTP (TLS 1.2 and 1.3)", {}, tls_keys),
    key(Kind::text, "token_file",
        "a file with a secret of 16 to 256 octets, read at the start; clients must send it, as "
        "bearer token, or as password from a browser",
        worked_out("none: all who reach it may read"), 0, 255) |
        Is::restart,
    key(Kind::list, "topology",
        "other switches that the page `/topology` shows too: the browser reads from them, this "
        "switch does not",
        "[]", an_other_switch, 0, 32),
    key(Kind::list, "allow",
        "origins whose pages a browser lets read what is here (CORS), such as the `/topology` of "
        "another switch",
        "[]", an_origin, 0, 32) |
        Is::distinct,
});

}  // namespace sluice::config::keys
