// Requests: handles the requests of the control socket's clients (socket/request.h).
//
// Bound: one request at a time; long requests are answered later, by the code that carries them
// out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "control/daemon/configurations.h"
#include "control/daemon/switch_services.h"
#include "control/events/event_sink.h"
#include "control/runtime/runtime.h"
#include "control/socket/api.h"
#include "control/socket/request.h"
#include "control/trace/session.h"

namespace sluice::control {

class Requests {
  public:
    // The objects that requests use; all outlive this object.
    struct Parts {
        Runtime& runtime;
        EventSink& events;
        SwitchServices& services;
        TraceSession& traces;
        Configurations& configurations;
        std::function<View()> view;
    };
    explicit Requests(const Parts& parts) : parts_(parts) {}

    // Handles one line of a client.
    void answer(std::string_view line, const Reply& reply);
    // Returns the requested rows of a noun, or why there are none.
    [[nodiscard]] tl::expected<Json, std::string> selected(const ShowRequest& request) const;

  private:
    void answer(const ShowRequest& request, const Reply& reply);
    void answer(const ApplyRequest& request, const Reply& reply);
    void answer(const ConfirmRequest&, const Reply& reply);
    void answer(const SourceRequest&, const Reply& reply);
    void answer(const SavedRequest& request, const Reply& reply);
    void answer(const FlushFdbRequest&, const Reply& reply);
    void answer(const ClearCountersRequest&, const Reply& reply);
    void answer(const ClearWatermarksRequest&, const Reply& reply);
    void answer(const CaptureRequest& request, const Reply& reply);
    void answer(const TraceRequest& request, const Reply& reply);
    void answer(const WhatIfRequest& request, const Reply& reply);
    void answer(const TryCableRequest& request, const Reply& reply);
    void answer(const RecordRequest& request, const Reply& reply);
    void answer(const DumpRecordingRequest& request, const Reply& reply);

    const Parts parts_;
};

}  // namespace sluice::control
