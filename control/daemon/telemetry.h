// Telemetry: answers on DPDK's telemetry socket, from snapshots that control takes once a second.
// Telemetry's threads see nothing else of the switch, so no client reaches running state or makes
// control wait.
// Bound: one snapshot of each noun in telemetry_answers.h.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "control/loop.h"
#include "control/show/snapshot.h"
#include "pmd_glue/telemetry.h"

namespace sluice::control {

class Telemetry {
  public:
    // Starts answering, once EAL is up. `show` returns a noun; control's thread calls it.
    static tl::expected<std::unique_ptr<Telemetry>, std::string> start(
        Loop& loop, std::function<Json(std::string_view noun)> show);
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;

  private:
    explicit Telemetry(std::function<Json(std::string_view noun)> show) : show_(std::move(show)) {}
    void look();
    pmd::TelemetryReply answer(std::string_view command, std::string_view parameters);

    const std::function<Json(std::string_view noun)> show_;
    using Shown = std::map<std::string, Json, std::less<>>;  // by noun
    std::mutex change_;                                      // held to copy or set `shown_`
    std::shared_ptr<const Shown> shown_;
    Loop::SourcePointer timer_;
    std::unique_ptr<pmd::Telemetry> socket_;  // destroyed first
};

}  // namespace sluice::control
