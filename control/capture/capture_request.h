// CaptureRequest: what a client asks to look at: `{"capture": {...}}`, README.md has the keys.
// Bound: whatever the JSON, a request or a message; nothing is thrown.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/capture/filter.h"
#include "dataplane/limits.h"

namespace sluice::control {

struct CaptureRequest {
    std::vector<std::string> ports;  // names
    bool received = false;
    bool sent = false;
    bool dropped = false;
    PrioritySet priorities = 0xFF;  // all: frames without one as well
    uint16_t snaplen = UINT16_MAX;  // octets of a frame
    uint64_t count = 0;             // frames after which it ends; 0: none
    CaptureFilter filter;
};

// `object` has the key `capture`.
tl::expected<CaptureRequest, std::string> parse_capture(const nlohmann::json& object);

}  // namespace sluice::control
