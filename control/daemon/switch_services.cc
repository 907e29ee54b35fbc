#include "control/daemon/switch_services.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "control/runtime/next_hops.h"
#include "control/runtime/workers_service.h"
#include "control/watch/watches.h"

namespace sluice::control {

// The workers are the first in the list, so that settings published while services are made reach
// them.
SwitchServices::SwitchServices(const Parts& parts, config::Configuration configuration)
    : parts_(parts),
      list([this] { return parts_.runtime.clock().now(); }),
      publisher(std::move(configuration), [this](const Settings&) { list.prepare(running()); }),
      counters(
          [this](std::string_view noun, bool all) { return snapshot(noun, parts_.view(), all); }),
      managers([this] {
          list.add(ServiceId::workers, std::make_unique<WorkersService>(parts_.runtime, publisher));
          const auto abilities = parts_.runtime.abilities();
          return Managers::Parts{
              .dataplane = parts_.runtime.dataplane(),
              .publisher = publisher,
              .events = parts_.events,
              .clock = [this] { return parts_.runtime.clock().now(); },
              .wake = [this] { parts_.runtime.workers().wake(); },
              .host_name = parts_.host_name,
              .abilities = std::vector<PortAbilities>(abilities.begin(), abilities.end()),
              .bundle_of = [this](PortIndex port) { return parts_.runtime.bundle(port); }};
      }()),
      captures(parts.runtime.dataplane(), [this] { return parts_.runtime.clock().now(); }),
      rates(parts.runtime.dataplane(), publisher),
      state(parts.runtime.dataplane(), publisher, counters, parts.events, parts.background),
      hotplug({.runtime = parts.runtime,
               .publisher = publisher,
               .events = parts.events,
               .managers = managers,
               .services = list,
               .captures = captures,
               .counters = counters,
               .follow_settings = [this] { follow_settings(); }}),
      trials({.dataplane = parts.runtime.dataplane(),
              .publisher = publisher,
              .events = parts.events,
              .is_there = [this](PortIndex port) { return hotplug.is_there(port); },
              .has_link = [this](PortIndex port) { return hotplug.links()[port].up; },
              .abilities = [this](PortIndex port) -> const PortAbilities& {
                  return parts_.runtime.abilities()[port];
              },
              .prove = [this](PortIndex port, const Seen& seen) { prove(port, seen); }}) {
    managers.lldp.set_listener([this](PortIndex port, std::span<const uint8_t> frame) {
        return trials.receive(port, frame);
    });
    add_all();
}

void SwitchServices::add_all() {
    managers.add_to(list);
    list.add(ServiceId::next_hops,
             std::make_unique<NextHops>(parts_.runtime, publisher, managers.neighbours));
    list.add(ServiceId::captures, captures);
    list.add(ServiceId::cable_trial, trials);
    list.add(ServiceId::rates, rates);
    list.add(ServiceId::state, state);
    hotplug.add_to(list);
    add_watches(
        list,
        {.dataplane = parts_.runtime.dataplane(),
         .publisher = publisher,
         .events = parts_.events,
         .is_there = [this](PortIndex port) { return hotplug.is_there(port); },
         .missed = [this](PortIndex port) { return parts_.runtime.ports()[port]->stats().missed; },
         .abilities = [this] { return parts_.runtime.abilities(); },
         .pauses_before = [this](PortIndex port) { return parts_.runtime.pauses_before(port); },
         .proved_to_receive = [this](PortIndex port) { prove(port, {.receives = true}); },
         .lldp_agents = [this] { return managers.lldp.agents(); },
         .announce = [this](PortIndex port, Nanos now) { managers.lldp.announce(port, now); },
         .lost_log_lines = [this]() -> std::optional<uint64_t> {
             // Writes the number of lost lines, if possible.
             spdlog::default_logger_raw()->flush();
             if (!parts_.lost_log_lines) return {};
             return parts_.lost_log_lines();
         }});
}

void SwitchServices::follow_settings() {
    list.configure(running());
    // The counters of LACP restart at 0 on a port where LACP begins, whatever LACP counted there
    // before.
    for_each_port(managers.lacp.begun(),
                  [&](PortIndex port) { counters.lacp_began(running().ports[port].name); });
}

void SwitchServices::prove(PortIndex port, const Seen& seen) {
    if (auto keep = parts_.runtime.prove(port, seen)) {
        const auto not_kept = std::make_shared<std::string>();
        parts_.background.run([not_kept, keep = std::move(keep)] { *not_kept = keep(); },
                              [this, not_kept, port] {
                                  if (!not_kept->empty()) {
                                      parts_.events.warn("proof_not_kept", port, *not_kept);
                                  }
                              });
    }
    managers.dcbx.update_abilities(port, parts_.runtime.abilities()[port],
                                   parts_.runtime.clock().now());
}

}  // namespace sluice::control
