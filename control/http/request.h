// Request: parses the head of an HTTP/1.1 request (RFC 9112), as much of it as a read-only server
// needs: GET and HEAD, a path (or an absolute target), a query and eight header fields.
//
// Bound: whatever the octets, the result is a request or a refusal with its status code; nothing
// throws. The connection refuses heads above `longest_head` octets; a query has at most
// `most_parameters` parameters. The parser is stricter than the RFC where a proxy in front might
// read the same octets as another request: a body, a folded field line, a control character and a
// second Host field are refused.
// Not done here: sockets (connection.h), the known paths (site.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace sluice::control::http {

inline constexpr std::size_t longest_head = 8 * 1024;
inline constexpr std::size_t most_parameters = 16;

struct Request {
    bool head = false;                                       // HEAD: no body in the response
    std::string path;                                        // percent-decoded, begins with /
    std::vector<std::pair<std::string, std::string>> query;  // decoded, in the order sent
    std::string host;                                        // empty: HTTP/1.0 without a Host field
    std::string accept;
    std::string origin;  // origin of the page whose script sends the request; empty: no field
    std::string last_event_id;
    std::string authorization;
    bool keep_alive = false;  // the connection stays open for further requests

    // Returns the value of the first parameter with that name; null: there is none.
    [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

struct Refusal {
    int status = 400;
    std::string why;  // what is wrong, and what is allowed
};

// Returns the length of the head at the start of `received`, including the empty line that ends it.
// Returns empty until that line has arrived.
std::optional<std::size_t> head_length(std::string_view received);

// Parses a head. `head`: the first `head_length` octets that were received.
tl::expected<Request, Refusal> parse_head(std::string_view head);

}  // namespace sluice::control::http
