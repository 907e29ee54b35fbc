// Request: the head of an HTTP/1.1 request (RFC 9112), as far as a server that only shows things
// needs it: GET and HEAD, a path, a query, and seven fields.
//
// Bound: whatever the octets, a request or a refusal with the status to answer; nothing is thrown.
// The server cuts what is longer than `longest_head`; a query has `most_parameters` at the most.
// Stricter than it must be, since a proxy in front might see another request where two readings are
// possible: a body, a folded field, an octet below space, two Hosts are refused.
// Not done here: reading and waiting (connection.h), what there is to see (site.h).
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
    bool head = false;                                       // HEAD: wants no body
    std::string path;                                        // decoded, begins with /
    std::vector<std::pair<std::string, std::string>> query;  // decoded, in its order
    std::string host;                                        // empty: HTTP/1.0 that says none
    std::string accept;
    std::string origin;  // of the page that a browser asks for; empty: none says so
    std::string last_event_id;
    bool stays = false;  // the client may ask again over the same connection

    // Of several of that name the first; null: none.
    [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

struct Refusal {
    int status = 400;
    std::string why;  // with what would be right
};

// How long the head at the front of `received` is, with the empty line that ends it; nothing while
// that has not come.
std::optional<std::size_t> head_length(std::string_view received);

// `head` as `head_length` cuts it.
tl::expected<Request, Refusal> parse_head(std::string_view head);

}  // namespace sluice::control::http
