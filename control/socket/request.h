// Request: parses one line of the control socket. control/README.md has the protocol.
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
    bool all = false;               // include empty rows
    std::optional<uint64_t> since;  // only for `events`: events above this number
    ShowFilter filter;              // names of ports are not resolved yet
    std::optional<FdbPage> page;    // only for `fdb`
};
struct ApplyRequest {
    std::string file;  // name of the configuration in messages
    std::string text;
    // Time in which a client has to confirm, 1 s to an hour; empty: no confirmation is needed.
    std::optional<std::chrono::seconds> confirm_within = {};
    std::optional<uint64_t> number = {};  // adopt only while this configuration runs; empty: always
    std::string change = {};              // name of the change in the log; empty: a file is applied
};
// Confirms the configuration that waits for confirmation.
struct ConfirmRequest {};
// Requests the text of the running configuration, for clients that change a part of it or save it.
struct SourceRequest {};
// Reports that a client has written the text to the file with which the daemon was started.
struct SavedRequest {
    std::string text;
};
// Flushes every learned address, or those in a VLAN or at a port.
struct FlushFdbRequest {
    std::optional<VlanId> vlan;
    std::optional<std::string> port;  // the port's name
};

// Clears the shown counters.
struct ClearCountersRequest {};
struct ClearWatermarksRequest {};

// Sends pauses and LLDP between two ports that are cabled to each other.
struct TryCableRequest {
    std::array<std::string, 2> ports;  // the ports' names
};

// Starts or stops the recorder, or makes a recording.
struct RecordRequest {
    enum class Order : uint8_t { start, stop, trigger };

    Order order = Order::start;
};
// Requests entries of a recording, beginning with number `from`.
struct DumpRecordingRequest {
    uint64_t recording = 0;  // 0: the last recording
    std::size_t from = 0;
};

using Request =
    std::variant<ShowRequest, ApplyRequest, ConfirmRequest, SourceRequest, SavedRequest,
                 FlushFdbRequest, ClearCountersRequest, ClearWatermarksRequest, CaptureRequest,
                 TraceRequest, WhatIfRequest, TryCableRequest, RecordRequest, DumpRecordingRequest>;

tl::expected<Request, std::string> parse_request(std::string_view line);

}  // namespace sluice::control
