#include "control/relay_watch.h"

#include <fmt/format.h>

#include <utility>

#include "config/yaml/values.h"

namespace sluice::control {

namespace {

class Look {
  public:
    Look(const RelayWatch::Sight& sight, PortIndex port, std::vector<RelayEvent>& events)
        : sight_(sight),
          port_(port),
          settings_(sight.settings.ports[port].pfc.relay),
          relay_(sight.dataplane.egress(port).gate().relay()),
          events_(events) {}

    [[nodiscard]] bool is_end() const { return settings_.to != no_relay; }

    // One that is not relayed any more is no news.
    void at_cuts(PrioritySet& told) {
        const PrioritySet before = std::exchange(told, relay_.cut());
        for_each_priority(static_cast<PrioritySet>(before ^ told), [&](Priority priority) {
            if ((told & only_priority(priority)) != 0) {
                warn("relay_cut",
                     fmt::format("priority {} was paused by its peer for too long, and nobody "
                                 "is told or obeys it",
                                 priority));
            } else if ((settings_.priorities & only_priority(priority)) != 0) {
                tell("relay_restored",
                     fmt::format("pauses of priority {} are listened to again", priority));
            }
        });
    }

    // Of a port that hears none nothing is told.
    void at_who_obeys(RelayWatch::Told& told) {
        if (!sight_.dataplane.link(port_) || settings_.priorities == 0) return;
        const bool obeys = relay_.priorities() == 0;
        if (!told.seen_at) told.seen_at = sight_.now;
        told.relayed |= !obeys || sight_.now - *told.seen_at >= RelayWatch::patience;
        if (!told.relayed) return;
        const bool before = std::exchange(told.obeys, obeys);
        if (obeys && !before) {
            warn("relay_down",
                 fmt::format("{}: pauses of its peer are obeyed here and told to nobody",
                             sight_.dataplane.link(settings_.to)
                                 ? "whoever is behind " + other() + " answers no more"
                                 : other() + " is down"));
        } else if (before && !obeys) {
            tell("relay_up",
                 fmt::format("pauses of its peer are told to the peer of {} again", other()));
        }
    }

    // Where nobody answers nothing is known.
    void at_delay(bool& told) {
        const auto trips = relay_.measured().round_trips(sight_.now);
        if (!settings_.probes || !trips) return;
        const Nanos delay = trips->longest / 2;
        const Nanos reserved = sight_.ports[port_].needs.relay_delay;
        const bool before = std::exchange(told, delay > reserved);
        if (told && !before) {
            warn("relay_late",
                 fmt::format("a pause takes up to {} to its other end, and pfc.relay_delay is {}: "
                             "what still comes may find no headroom; raise it here and at the "
                             "gateway",
                             text_of(delay), text_of(reserved)));
        } else if (before && !told) {
            tell("relay_in_time",
                 fmt::format("a pause takes no more than {} to its other end, within "
                             "pfc.relay_delay",
                             text_of(delay)));
        }
    }

    void skip_refusals(RelayWatch::Told& told) const {
        const auto [deep, many] = refusals();
        told.too_deep.skip(deep);
        told.too_many.skip(many);
    }

    void at_refusals(PacedCount& too_deep, PacedCount& too_many, PacedCount::Time time) {
        const auto [deep, many] = refusals();
        if (const auto more = too_deep.look(deep, time)) {
            warn("relay_too_deep",
                 fmt::format("{} pause(s) of its peer came through {} relay(s) or more, are obeyed "
                             "here and go no further; pause_relay.depth is how many may",
                             *more, settings_.depth));
        }
        if (const auto more = too_many.look(many, time)) {
            warn("relay_limited",
                 fmt::format("{} pause(s) of its peer are obeyed here and told to nobody: more "
                             "than {} begin in a second; pause_relay.limit is how many may",
                             *more, settings_.limit));
        }
    }

  private:
    struct Refusals {
        uint64_t deep = 0;
        uint64_t many = 0;
    };
    [[nodiscard]] Refusals refusals() const {
        Refusals all;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            all.deep += relay_.too_deep(priority);
            all.many += relay_.too_many(priority);
        }
        return all;
    }
    void warn(std::string kind, std::string text) {
        events_.push_back({port_, true, std::move(kind), std::move(text)});
    }
    void tell(std::string kind, std::string text) {
        events_.push_back({port_, false, std::move(kind), std::move(text)});
    }
    [[nodiscard]] const std::string& other() const { return sight_.ports[settings_.to].name; }
    // To three digits or so, as what was measured is no rounder than that.
    static std::string text_of(Nanos time) {
        int64_t unit = 1;
        while (time.count() / unit >= 1000) unit *= 10;
        return config::format_time((time.count() + unit - 1) / unit * unit);
    }

    const RelayWatch::Sight& sight_;
    const PortIndex port_;
    const PauseRelaySettings& settings_;
    const PauseRelay& relay_;
    std::vector<RelayEvent>& events_;
};

}  // namespace

std::vector<RelayEvent> RelayWatch::look(const Sight& sight, PacedCount::Time time) {
    std::vector<RelayEvent> events;
    for (PortIndex port = 0; port < ports_.size(); ++port) {
        if (sight.ports[port].vacant) continue;
        Told& told = ports_[port];
        Look end(sight, port, events);
        if (!end.is_end()) {
            forget(port);
            continue;
        }
        if (std::exchange(told.begins_anew, false)) end.skip_refusals(told);
        end.at_cuts(told.cut);
        end.at_who_obeys(told);
        end.at_delay(told.late);
        end.at_refusals(told.too_deep, told.too_many, time);
    }
    return events;
}

}  // namespace sluice::control
