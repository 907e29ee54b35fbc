// Trace request: parses the requests of the control socket for a trace (which frames are to be
// traced) and for a what-if (what a described frame would meet):
//
//   {"trace": {"port": NAME, "dst": MAC, "src": MAC, "vlan": V, "priority": P, "frames": N,
//              "for_s": S}}
//   {"what_if": {"frame": DESCRIPTION, "port": NAME}}
//
// All keys of a trace are optional. An address is six octets with colons, or an AFH ID.
// Bound: whatever JSON comes, the result is a request or an error message; nothing throws.
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

    TraceFilter filter;               // without its ports, which the caller fills in
    std::optional<std::string> port;  // name; nothing: all ports
    std::chrono::seconds within{10};  // 1 to `longest`
};

struct WhatIfRequest {
    std::vector<uint8_t> octets;  // of the frame, without FCS
    std::string port;             // name of the input
};

// `object`: the whole request. An error says what is wrong and what would be right.
tl::expected<TraceRequest, std::string> parse_trace(const nlohmann::json& object);
tl::expected<WhatIfRequest, std::string> parse_what_if(const nlohmann::json& object);

// Parses an address as the configuration has it: aa:bb:cc:dd:ee:ff, or an AFH ID in decimal.
std::optional<MacAddress> parse_address(std::string_view text);

}  // namespace sluice::control
