// Trace request: parses the requests of the control socket for a trace (which frames to trace) and
// for a what-if (how the switch would handle a described frame):
//
//   {"trace": {"port": NAME, "dst": MAC, "src": MAC, "vlan": V, "priority": P, "frames": N,
//              "for_s": S}}
//   {"what_if": {"frame": DESCRIPTION, "port": NAME}}
//
// All keys of a trace are optional. An address is six octets with colons, or an AFH ID.
// Bound: whatever JSON it gets, the result is a request or an error message; nothing throws.
// Not done here: looking up names of ports (the caller does).
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/trace/record.h"
#include "dataplane/types/address.h"

namespace sluice::control {

struct TraceRequest {
    static constexpr std::chrono::seconds longest{60};

    TraceFilter filter;               // without ports; the caller sets them
    std::optional<std::string> port;  // port name; empty: all ports
    std::chrono::seconds within{10};  // 1 to `longest`
};

struct WhatIfRequest {
    std::vector<uint8_t> octets;  // octets of the frame without FCS
    std::string port;             // name of the input
};

// Parse a whole request. An error describes what is wrong and what is allowed.
tl::expected<TraceRequest, std::string> parse_trace(const nlohmann::json& object);
tl::expected<WhatIfRequest, std::string> parse_what_if(const nlohmann::json& object);

// Parses an address as in the configuration: aa:bb:cc:dd:ee:ff, or an AFH ID in decimal.
std::optional<MacAddress> parse_address(std::string_view text);

}  // namespace sluice::control
