// Response: what a request is answered with: a body that others may be sent at the same time, or a
// feed, which goes on until the client goes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "control/feed.h"

namespace sluice::control::http {

// Shared, so that many clients of one answer cost the memory of one.
using Body = std::shared_ptr<const std::string>;

struct Response {
    int status = 200;
    std::string_view type = "text/plain; charset=utf-8";
    Body body;
    std::unique_ptr<Feed> feed = {};  // then there is no body
    std::string reader = {};          // origin of a page that may read it beside ours; empty: none
    std::string reads = {};  // origins that a page may read beside its own, a blank before each
};

inline Body body_of(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

std::string_view name_of_status(int status);

// The lines before the body. `stays`: the connection outlives it.
std::string head_of(const Response& response, bool stays);

}  // namespace sluice::control::http
