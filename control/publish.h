// Publisher: keeps the running configuration, and replaces it as a whole or refuses with reasons.
//
// Some values are determined at start, or when a port is added, and are in no file: a port's
// address, the FDB's hash seed, the speed of a link. These values stay when the configuration is
// replaced. Agreements of ports with their peers override the configured values but do not change
// them, so nothing remains when an agreement ends; the same holds for the stations that LLDP names
// as the neighbours of a port with `pfc.strict`, whose pauses the port obeys.
// Not done here: passing settings to workers. The function `Publish` calls `ServiceList::prepare`,
// and WorkersService (runtime/workers_service.h) passes the settings to pmd_glue/workers.h.
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "control/negotiated.h"
#include "dataplane/types/settings.h"

namespace sluice::control {

// Returns the settings in effect. A port that is administratively down pauses no peer: its peer
// gets XON, and its headroom and reserves are free for other ports.
Settings in_effect(Settings written);

class Publisher {
  public:
    using Publish = std::function<void(const Settings&)>;
    using Agree = std::function<std::vector<Negotiated>()>;

    // `running` is complete: values that the file does not contain are filled in.
    Publisher(config::Configuration running, Publish publish)
        : running_(std::move(running)),
          link_speeds_(running_.ports.size()),
          negotiated_(running_.ports.size()),
          neighbours_(running_.ports.size()),
          publish_(std::move(publish)),
          effective_(in_effect(running_.settings)) {}

    // Publishes `next`, or returns a line for each key that cannot change while the switch runs.
    // The ports of `next` are in their slots (config/places.h), and new ports have addresses.
    // `agree` returns the agreements of ports under `next`: configuration and agreements are one
    // change of settings.
    tl::expected<void, std::vector<std::string>> adopt(config::Configuration next,
                                                       const Agree& agree = {});
    // Called when a link came up at `speed`. The speed applies unless the operator configured one.
    // The headroom that the link needs at that speed applies unless the operator configured it, or
    // the buffer has no room for it.
    void link_runs_at(std::size_t port, BitsPerSecond speed);
    // Sets the agreements of all ports with their peers, by port index. Publishes the settings at
    // most once. If headroom is short, agreements already in force take precedence over new ones.
    void negotiated(std::vector<Negotiated> agreed);
    // Sets the stations at the other ends, by port index. Publishes the settings at most once.
    using Stations = std::vector<MacAddress>;
    void neighbours(std::vector<Stations> stations);
    // Returns the ports that keep the configured lossless priorities, since the buffer has no
    // headroom for the agreed ones.
    [[nodiscard]] PortSet without_room() const { return without_room_; }
    // Whether lossless priorities of the port have less headroom than its link needs.
    [[nodiscard]] bool short_of_headroom(std::size_t port) const;
    // Returns a text that describes the shortage and what needs the headroom.
    [[nodiscard]] std::string shortage_of_headroom(std::size_t port) const;

    // Returns the configuration as written.
    [[nodiscard]] const config::Configuration& running() const { return running_; }
    // Returns the settings of the workers: the written configuration with agreements.
    [[nodiscard]] const Settings& effective() const { return effective_; }

  private:
    void publish();
    [[nodiscard]] std::vector<PortIndex> by_claim_to_room(const Settings& before) const;
    void make_lossless(PortIndex port);
    void relay_what_both_keep();
    static void apply_link_speed(config::Configuration& configuration, std::size_t port,
                                 BitsPerSecond speed);
    static void size_credit_buffer(const config::PortConfig& about, PortSettings& settings);

    config::Configuration running_;
    std::vector<BitsPerSecond> link_speeds_;  // by port index; 0: not known
    std::vector<Negotiated> negotiated_;      // by port index
    std::vector<Stations> neighbours_;        // by port index
    Publish publish_;
    Settings effective_;
    PortSet without_room_ = 0;
};

}  // namespace sluice::control
