// Guard: finds ports of the switch that are part of a loop, by probes that come back, and decides
// which of them to shut.
//
// Every second a probe leaves each guarded port that has link (dataplane/ingress/loop_probe.h). A
// probe that comes back shows a loop between the port that sent it and the port that received it,
// which may be the same. One of the two is acted on: the port with the higher number if it is
// configured to be shut, else the other port if that is; so one of two ports of a loop goes on. If
// neither is configured to be shut, the sender is reported. A shut port still sends and receives
// probes. It opens after no probe came back for `recovery`. A loop that is only reported is over 3
// s after the last probe. Pure: time is an argument, changes are returned.
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

enum class State : uint8_t { off, clear, looped, shut };

struct Change {
    PortIndex port = 0;   // that is shut or reported, or was
    PortIndex other = 0;  // the loop's other end; may be the same
    State state = State::clear;
};

class Guard {
  public:
    using Action = config::LoopGuardAction;

    // `ports`: by port. A port that is no longer guarded is no longer shut. Returns the looped
    // ports that are no longer guarded, or guarded differently: their loop is over.
    std::vector<Change> configure(std::span<const config::LoopGuardConfig> ports);
    // A probe of ours that `probe` says who sent came back.
    std::optional<Change> receive(const LoopProbe& probe, PortIndex came_by, Nanos now);
    // Loops that are over.
    std::vector<Change> advance(Nanos now);
    // Whether the port is to send a probe now; then it counts as sent.
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
