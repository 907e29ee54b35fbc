// Request: parses one line of the control socket. README.md has the protocol.
//
// Bound: whatever the octets, the result is a request or a message; nothing is thrown. Unknown keys
// are refused, so that a misspelt key is noticed.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "control/capture/capture_request.h"
#include "control/show/fdb.h"
#include "control/show/filter.h"
#include "control/trace/request.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct ShowRequest {
    std::string noun;               // one of nouns.h
    bool all = false;               // rows that say nothing, too
    std::optional<uint64_t> since;  // of `events`: those above this number
    ShowFilter filter;              // names of ports as they came
    std::optional<FdbPage> page;    // of `fdb`
};
struct ApplyRequest {
    std::string file;  // what messages call the text
    std::string text;
    std::optional<std::chrono::seconds> confirm_within = {};  // 1 to an hour; none: for good
    std::optional<uint64_t> number = {};  // in place of that configuration alone; none: of any
    std::string change = {};              // what is done by it, for the log; empty: a file
};
// Confirms the configuration that was applied.
struct ConfirmRequest {};
// The running configuration as written, for clients that change a part of it or save it.
struct SourceRequest {};
// The file that the daemon was started with has that text now.
struct SavedRequest {
    std::string text;
};
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

// Recording begins, ends, or a recording is made.
struct RecordRequest {
    enum class Order : uint8_t { start, stop, trigger };

    Order order = Order::start;
};
// Entries of a recording, from one on.
struct DumpRecordingRequest {
    uint64_t recording = 0;  // 0: the last
    std::size_t from = 0;
};

using Request =
    std::variant<ShowRequest, ApplyRequest, ConfirmRequest, SourceRequest, SavedRequest,
                 FlushFdbRequest, ClearCountersRequest, ClearWatermarksRequest, CaptureRequest,
                 TraceRequest, WhatIfRequest, TryCableRequest, RecordRequest, DumpRecordingRequest>;

tl::expected<Request, std::string> parse_request(std::string_view line);

}  // namespace sluice::control
