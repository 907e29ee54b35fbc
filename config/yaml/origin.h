// Origin: the origin of a web page, as browsers write it (RFC 6454): a scheme, a host, and a port
// where it is not the scheme's own: `http://192.0.2.1:9475`, `https://leaf1.example`.
//
// Stricter than the standard, since it is compared with the browser's text and becomes part of a
// policy: lower case, a name or an IPv4 address (a policy, CSP, cannot name an IPv6 address), and
// nothing behind it.
#pragma once

#include <string_view>

namespace sluice::config {

bool is_origin(std::string_view text);

}  // namespace sluice::config
