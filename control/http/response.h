// Response: the answer to one request: a status, header fields, and either a body, whose memory is
// shared with other clients that get the same, or a feed, which continues until the client hangs
// up.
// Not done here: sending responses (connection.h).
// Follows RFC 9110 (status codes), the Fetch standard (CORS) and CSP Level 3.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "control/socket/feed.h"

namespace sluice::control::http {

using Body = std::shared_ptr<const std::string>;

struct Response {
    int status = 200;
    std::string_view type = "text/plain; charset=utf-8";
    Body body;
    std::unique_ptr<Feed> feed = {};  // if set, there is no body
    std::string allowed_origin = {};  // for Access-Control-Allow-Origin (CORS); empty: not sent
    // Origins that connect-src (CSP) allows in addition to 'self', each after a space.
    std::string connect_sources = {};
};

inline Body body_of(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

std::string_view name_of_status(int status);  // the reason phrase, such as `Not Found`

// Returns the status line and header fields. Without `keep_alive` it adds `Connection: close`.
std::string head_of(const Response& response, bool keep_alive);

}  // namespace sluice::control::http
