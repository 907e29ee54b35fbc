// Origin: checks the origin of a web page, as browsers write it (RFC 6454): a scheme, a host, and a
// port if it is not the scheme's default: `http://192.0.2.1:9475`, `https://leaf1.example`.
//
// Stricter than the standard, since the text is compared with the browser's and becomes part of a
// content security policy (CSP): lower case, a name or an IPv4 address (CSP has no IPv6 addresses),
// and nothing after the port.
#pragma once

#include <string_view>

namespace sluice::config {

bool is_origin(std::string_view text);

}  // namespace sluice::config
