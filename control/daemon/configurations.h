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
    // The objects that adopt configurations; all outlive this object.
    struct Parts {
        Loop& loop;
        Background& background;
        Publisher& publisher;
        Runtime& runtime;
        Hotplug& hotplug;
        EventSink& events;
        ServiceManager& manager;
        // Called when other settings have been adopted.
        std::function<void()> follow_settings;
    };
    // The first configuration is already in effect.
    explicit Configurations(const Parts& parts);
    Configurations(const Configurations&) = delete;
    Configurations& operator=(const Configurations&) = delete;

    using Adopted = Hotplug::Adopted;
    // Reads and adopts a configuration, then calls `done`.
    void apply(ApplyRequest request, std::function<void(const Adopted&)> done);
    // Reads and adopts the file with which the switch was started.
    void read_file_again();
    // Keeps the configuration that waits to be confirmed. Returns false if no configuration waits
    // to be confirmed.
    bool confirm();
    // Returns the text of the running configuration, and the known contents of its file.
    [[nodiscard]] Json source() const;
    // Called when a client has written this content to the file with which the switch was started.
    void saved(const std::string& text);

  private:
    using Loaded = tl::expected<config::Configuration, std::vector<config::Fault>>;
    // A configuration that was read, and the faults of the captures that it names.
    struct Read {
        Loaded loaded;
        StartFailure captures;
    };
    void load_and_adopt(std::function<Loaded()> load, std::function<void(Read)> adopt);
    // Adopts a configuration. `what`: name of the configuration in the log.
    Adopted adopt(Read read, const std::string& what,
                  std::optional<std::chrono::seconds> confirm_within = {});
    void go_back(const Confirmation::Text& before);
    void refused(const Adopted& adopted);
    void wait_for_workers();

    const Parts parts_;
    const std::string file_;  // the file with which the switch was started
    StartupFile startup_file_;
    Confirmation confirmation_;
    uint64_t number_ = 1;         // number of the running configuration
    bool is_going_back_ = false;  // the previous configuration is being read, to roll back to it
    unsigned reloads_ = 0;        // reloads of the file that are under way or waiting
};

}  // namespace sluice::control
