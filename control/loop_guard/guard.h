// Guard: finds ports of the switch that are part of a loop, by probes that return, and decides
// which of them to shut.
//
// Every second each guarded port that has link sends a probe (dataplane/ingress/loop_probe.h). A
// probe that returns shows a loop between the port that sent it and the port that received it,
// which may be the same. Of these two ports the guard shuts one that is configured to be shut; if
// both are, the one with the higher number. So one of two ports of a loop continues. If neither is
// configured to be shut, the port that sent the probe is reported. A shut port still sends and
// receives probes. A shut port opens when no probe has returned for the time `recovery`. A loop
// that is only reported counts as over when no probe has returned for 3 s. Pure: time is an
// argument, changes are returned.
// Bound: O(1) a probe, O(ports) a turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/configuration.h"
#include "dataplane/ingress/loop_probe.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::loop_guard {

inline constexpr Nanos interval{1'000'000'000};
inline constexpr Nanos clear_after = interval * 3;

enum class State : uint8_t { off, clear, looped, shut, last = shut };

struct Change {
    PortIndex port = 0;   // the port on which the guard acts
    PortIndex other = 0;  // other end of the loop; may be the same port
    State state = State::clear;
};

class Guard {
  public:
    using Action = config::LoopGuardAction;

    // Sets the configuration by port index. A port that is no longer guarded is no longer shut.
    // Returns the looped ports that are no longer guarded, or guarded differently: their loop is
    // over.
    std::vector<Change> configure(std::span<const config::LoopGuardConfig> ports);
    // Takes a probe of this switch that returned by port `came_by`. `probe` names the sender.
    std::optional<Change> receive(const LoopProbe& probe, PortIndex came_by, Nanos now);
    // Returns the loops that are over.
    std::vector<Change> advance(Nanos now);
    // Whether the port has to send a probe now. If so, the probe counts as sent.
    [[nodiscard]] bool take_due(PortIndex port, Nanos now);

    [[nodiscard]] bool is_on() const;
    [[nodiscard]] PortSet shut() const;
    [[nodiscard]] State state(PortIndex port) const { return ports_[port].state; }

  private:
    struct Port {
        config::LoopGuardConfig config;
        State state = State::off;
        PortIndex other = 0;
        Nanos last_probe;
        Nanos next_probe;
    };

    [[nodiscard]] PortIndex port_at_fault(PortIndex sender, PortIndex came_by) const;

    std::array<Port, max_ports> ports_;
};

}  // namespace sluice::loop_guard
