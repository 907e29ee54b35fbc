// CaptureRequest: parses a client's request for a capture, `{"capture": {...}}` (control/README.md
// lists its keys).
// Bound: whatever JSON it gets, the result is a request or an error message; nothing throws.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/capture/filter.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct CaptureRequest {
    std::vector<std::string> ports;  // port names
    bool received = false;
    bool sent = false;
    bool dropped = false;
    PrioritySet priorities = 0xFF;  // 0xFF: also frames that have no priority, such as PFC
    uint16_t snaplen = UINT16_MAX;  // octets kept of each frame
    uint64_t count = 0;             // frames after which the capture ends; 0: no limit
    CaptureFilter filter;
};

// Parses the whole request. An error describes what is wrong and what is allowed.
tl::expected<CaptureRequest, std::string> parse_capture(const nlohmann::json& object);

}  // namespace sluice::control
