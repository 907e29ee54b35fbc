// Request: one line of the control socket, understood. README.md has the protocol.
//
// Bound: whatever the octets, a request or a message; nothing is thrown. Unknown keys are refused,
// so that a misspelt one is noticed.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "control/capture/capture_request.h"
#include "control/show/filter.h"
#include "control/trace/request.h"
#include "dataplane/limits.h"

namespace sluice::control {

struct ShowRequest {
    std::string noun;               // one of nouns.h
    bool all = false;               // rows that say nothing, too
    std::optional<uint64_t> since;  // of `events`: those above this number
    ShowFilter filter;              // names of ports as they came
};
struct ApplyRequest {
    std::string file;  // what messages call the text
    std::string text;
    std::optional<std::chrono::seconds> confirm_within = {};  // 1 to an hour; none: for good
};
// What was applied stays.
struct ConfirmRequest {};
// Every learned address, or those in a VLAN or at a port.
struct FlushFdbRequest {
    std::optional<VlanId> vlan;
    std::optional<std::string> port;  // its name
};

// Counters are shown from here on.
struct ClearCountersRequest {};
struct ClearWatermarksRequest {};

// Pauses and LLDP are sent between two ports that are cabled to each other.
struct TryCableRequest {
    std::array<std::string, 2> ports;  // their names
};

using Request = std::variant<ShowRequest, ApplyRequest, ConfirmRequest, FlushFdbRequest,
                             ClearCountersRequest, ClearWatermarksRequest, CaptureRequest,
                             TraceRequest, WhatIfRequest, TryCableRequest>;

tl::expected<Request, std::string> parse_request(std::string_view line);

}  // namespace sluice::control
