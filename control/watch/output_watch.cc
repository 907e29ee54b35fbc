#include "control/watch/output_watch.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "config/yaml/values.h"

namespace sluice::control {

namespace {

std::string_view consequence_of(WatchdogAction action, bool is_relayed) {
    switch (action) {
        case WatchdogAction::drop:
            return is_relayed ? "its frames are dropped, and its pauses are not relayed"
                              : "its frames are dropped";
        case WatchdogAction::forward:
            return is_relayed ? "its pauses are no longer relayed" : "the port ignores the pauses";
        default:
            return "no action configured";
    }
}

// Returns text about when the storm ends, and why that takes longer than `restoration`.
std::string end_of(const Watchdog& watchdog, Priority priority, Nanos restoration) {
    const Nanos after = watchdog.restores_after(priority);
    std::string text =
        fmt::format("until there is no pause for {}", config::format_time(after.count()));
    if (const uint32_t returns = watchdog.returns(priority); returns > 0) {
        text += fmt::format(" (the storm returned {} time{} in a row{})", returns,
                            returns == 1 ? "" : "s",
                            after > restoration ? ", which doubles that up to "
                                                  "pfc.watchdog.longest_restoration"
                                                : "");
    }
    return text;
}

}  // namespace

void OutputWatch::tick(Nanos /*now*/) {
    for (PortIndex port = 0; port < storms_.size(); ++port) {
        if (!is_there_(port)) continue;
        watch_pfc_storms(port);
        watch_stall(port);
    }
}

void OutputWatch::forget(PortIndex port) {
    storms_[port] = 0;
    stalls_ &= ~only(port);
}

void OutputWatch::watch_pfc_storms(PortIndex port) {
    const Egress& egress = dataplane_.egress(port);
    const Watchdog& watchdog = egress.watchdog();
    const PrioritySet relayed = egress.gate().relay().priorities();
    const Nanos restoration = publisher_.effective().ports[port].pfc.watchdog.restoration;
    const PrioritySet before = std::exchange(storms_[port], watchdog.pfc_storms());
    const PrioritySet now = storms_[port];
    for_each_priority(static_cast<PrioritySet>(before ^ now), [&](Priority priority) {
        if ((now & only_priority(priority)) != 0) {
            const bool is_relayed = (relayed & only_priority(priority)) != 0;
            events_.warn("pfc_storm", port,
                         fmt::format("pause storm on priority {}; {} {}", priority,
                                     consequence_of(watchdog.action(), is_relayed),
                                     end_of(watchdog, priority, restoration)));
        } else {
            events_.notice(
                "pfc_restored", port,
                fmt::format("pause storm on priority {} over: no pause for {}", priority,
                            config::format_time(watchdog.restores_after(priority).count())));
        }
    });
}

void OutputWatch::watch_stall(PortIndex port) {
    const StallWatch& watch = dataplane_.egress(port).stall_watch();
    const WatchdogSettings& settings = publisher_.effective().ports[port].pfc.watchdog;
    const bool was_stalled = (stalls_ & only(port)) != 0;
    if (watch.is_stalled() == was_stalled) return;
    stalls_ ^= only(port);
    const std::string restoration = config::format_time(settings.restoration.count());
    if (was_stalled) {
        events_.notice(
            "egress_restored", port,
            fmt::format("output no longer stalled: its device takes frames, or none waits, for {}",
                        restoration));
        return;
    }
    events_.warn(
        "egress_stalled", port,
        fmt::format("output stalled: its device has taken no frames for {}: the peer has stopped, "
                    "or does not empty its ring; {} until it takes frames for {}",
                    config::format_time(settings.detection.count()),
                    watch.drops_all() ? "frames for the port are dropped (egress_stalled)"
                                      : "copies of floods for the port are dropped "
                                        "(egress_stalled), other frames wait (pfc.watchdog.action)",
                    restoration));
}

}  // namespace sluice::control
