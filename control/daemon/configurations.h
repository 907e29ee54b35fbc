// Configurations: adopts configurations one after the other: from the file, from a request, or the
// previous one after a missing confirmation.
//
// Files are read in the background, since a mount may answer late or never, and a capture file may
// be long. A configuration is adopted as a whole or not at all (hotplug.h).
// Bound: one SIGHUP is served and one more waits. `apply` waits up to 100 ms for the workers to
// adopt the settings, so that the answer is accurate.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "control/background.h"
#include "control/confirmation.h"
#include "control/events/event_sink.h"
#include "control/hotplug/hotplug.h"
#include "control/publish.h"
#include "control/runtime/runtime.h"
#include "control/service_manager.h"
#include "control/show/json.h"
#include "control/socket/request.h"
#include "control/startup_file.h"

namespace sluice::control {

class Configurations {
  public:
    // The parts that adopt configurations; all outlive this.
    struct Parts {
        Loop& loop;
        Background& background;
        Publisher& publisher;
        Runtime& runtime;
        Hotplug& hotplug;
        EventSink& events;
        ServiceManager& manager;
        // Other settings run.
        std::function<void()> follow_settings;
    };
    // The first runs already.
    explicit Configurations(const Parts& parts);
    Configurations(const Configurations&) = delete;
    Configurations& operator=(const Configurations&) = delete;

    using Adopted = Hotplug::Adopted;
    // Reads a configuration and takes it over, then calls `done`.
    void apply(ApplyRequest request, std::function<void(const Adopted&)> done);
    // The file that the switch was started with.
    void read_file_again();
    // Keeps the configuration that was applied. False: none waited for that.
    bool confirm();
    // The text of the running configuration, and what its file is known to hold.
    [[nodiscard]] Json source() const;
    // The file that the switch was started with has this content now.
    void saved(const std::string& text);

  private:
    using Loaded = tl::expected<config::Configuration, std::vector<config::Fault>>;
    // A configuration that was read, and faults of the captures that it names.
    struct Read {
        Loaded loaded;
        StartFailure captures;
    };
    void load_and_adopt(std::function<Loaded()> load, std::function<void(Read)> adopt);
    // `what` is adopted, for the log.
    Adopted adopt(Read read, const std::string& what,
                  std::optional<std::chrono::seconds> confirm_within = {});
    void go_back(const Confirmation::Text& before);
    void refused(const Adopted& adopted);
    void wait_for_workers();

    const Parts parts_;
    const std::string file_;  // that it was started with
    StartupFile startup_file_;
    Confirmation confirmation_;
    uint64_t number_ = 1;         // of configurations that ran, with that which does
    bool is_going_back_ = false;  // what runs was not confirmed, and what ran before is being read
    unsigned reloads_ = 0;        // of the file, under way or waiting
};

}  // namespace sluice::control
