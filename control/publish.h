// Publisher: keeps the configuration that runs, and lets the next one take its place: all of it, or
// nothing and why.
//
// What a file does not say stays as it was found out at start: a port's address, the FDB's seed,
// the speed of a link. Not done here: handing settings to workers (pmd_glue/workers.h does, through
// `publish`).
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "dataplane/settings.h"

namespace sluice::control {

class Publisher {
  public:
    using Publish = std::function<void(const Settings&)>;

    // `running` is complete: what the file left out is filled in.
    Publisher(config::Configuration running, Publish publish)
        : running_(std::move(running)),
          link_speeds_(running_.ports.size()),
          publish_(std::move(publish)) {}

    // Publishes, or returns a line for each key that cannot change while the switch runs.
    tl::expected<void, std::vector<std::string>> adopt(config::Configuration next);
    // A link came up at `speed`. It counts unless the operator wrote one, and then so does the
    // headroom that the link needs, unless that was written or the buffer does not have it.
    void link_runs_at(std::size_t port, BitsPerSecond speed);
    // Whether lossless priorities of the port have less headroom than its link needs.
    [[nodiscard]] bool short_of_headroom(std::size_t port) const;

    [[nodiscard]] const config::Configuration& running() const { return running_; }

  private:
    static void fit_to_link(config::Configuration& configuration, std::size_t port,
                            BitsPerSecond speed);

    config::Configuration running_;
    std::vector<BitsPerSecond> link_speeds_;  // by port; 0: not known
    Publish publish_;
};

}  // namespace sluice::control
