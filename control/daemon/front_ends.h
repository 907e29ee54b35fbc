// FrontEnds: the interfaces for operating a switch: the control socket, HTTP, and DPDK's telemetry.
// The last is destroyed first.
#pragma once

#include <memory>

#include "control/daemon/telemetry.h"
#include "control/http/server.h"
#include "control/socket/api.h"

namespace sluice::control {

struct FrontEnds {
    std::unique_ptr<Api> api;            // null without DaemonOptions::answer
    std::unique_ptr<http::Server> http;  // null without DaemonOptions::answer or metrics.listen
    std::unique_ptr<Telemetry> telemetry;

    void close() {
        api.reset();
        http.reset();
        telemetry.reset();
    }
};

}  // namespace sluice::control
