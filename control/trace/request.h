// Trace request: which frames are to be traced, or what a frame that is only described would meet,
// as the control socket asks for it.
//
//   {"trace": {"port": NAME, "dst": MAC, "src": MAC, "vlan": V, "priority": P, "frames": N,
//              "for_s": S}}
//   {"what_if": {"frame": WORDS, "port": NAME}}
//
// All keys of a trace may be left out. An address is six octets with colons, or a 16-bit id.
// Bound: whatever is asked, a request or a message; nothing is thrown. Names of ports are looked up
// by who answers.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/trace/record.h"

namespace sluice::control {

struct TraceRequest {
    static constexpr std::chrono::seconds longest{60};

    TraceFilter filter;               // but for its ports
    std::optional<std::string> port;  // its name
    std::chrono::seconds within{10};  // 1 to longest
};

struct WhatIfRequest {
    std::vector<uint8_t> octets;
    std::string port;  // that it comes by
};

tl::expected<TraceRequest, std::string> parse_trace(const nlohmann::json& object);
tl::expected<WhatIfRequest, std::string> parse_what_if(const nlohmann::json& object);

// As the configuration has them, such as aa:bb:cc:dd:ee:ff, or a 16-bit id in decimal.
std::optional<MacAddress> parse_address(std::string_view text);

}  // namespace sluice::control
