#include "control/watch/relay_watch.h"

#include <fmt/format.h>

#include <utility>

#include "config/yaml/values.h"

namespace sluice::control {

namespace {

class Look {
  public:
    Look(const RelayWatch::Subject& subject, PortIndex port, EventSink& events)
        : subject_(subject),
          port_(port),
          settings_(subject.settings.ports[port].pfc.relay),
          relay_(subject.dataplane.egress(port).gate().relay()),
          events_(events) {}

    [[nodiscard]] bool is_end() const { return settings_.to != no_relay; }

    // A priority that is not relayed any more is not reported.
    void at_cuts(PrioritySet& reported) {
        const PrioritySet before = std::exchange(reported, relay_.cut());
        for_each_priority(static_cast<PrioritySet>(before ^ reported), [&](Priority priority) {
            if ((reported & only_priority(priority)) != 0) {
                warn("relay_cut", fmt::format("pauses of priority {} from its peer lasted too "
                                              "long: now neither relayed nor obeyed",
                                              priority));
            } else if ((settings_.priorities & only_priority(priority)) != 0) {
                add_event("relay_restored",
                          fmt::format("pauses of priority {} are relayed again", priority));
            }
        });
    }

    // A port that relays no pauses is not reported.
    void at_who_obeys(RelayWatch::Reported& reported) {
        if (!subject_.dataplane.link(port_) || settings_.priorities == 0) return;
        const bool obeys = relay_.priorities() == 0;
        if (!reported.seen_at) reported.seen_at = subject_.now;
        reported.relayed |= !obeys || subject_.now - *reported.seen_at >= RelayWatch::patience;
        if (!reported.relayed) return;
        const bool before = std::exchange(reported.obeys, obeys);
        if (obeys && !before) {
            warn("relay_down", fmt::format("{}: pauses of its peer are obeyed here and not relayed",
                                           subject_.dataplane.link(settings_.to)
                                               ? "the peer of " + other() + " no longer answers"
                                               : other() + " is down"));
        } else if (before && !obeys) {
            add_event(
                "relay_up",
                fmt::format("pauses of its peer are relayed to the peer of {} again", other()));
        }
    }

    // The delay is unknown if the other end does not answer.
    void at_delay(bool& reported) {
        const auto trips = relay_.measured().round_trips(subject_.now);
        if (!settings_.probes || !trips) return;
        const Nanos delay = trips->longest / 2;
        const Nanos reserved = subject_.ports[port_].needs.relay_delay;
        const bool before = std::exchange(reported, delay > reserved);
        if (reported && !before) {
            warn("relay_late",
                 fmt::format(
                     "a pause takes up to {} to its other end, but pfc.relay_delay is {}: frames "
                     "on the way may find no headroom; raise it here and at the gateway",
                     text_of(delay), text_of(reserved)));
        } else if (before && !reported) {
            add_event("relay_in_time",
                      fmt::format("a pause takes no more than {} to its other end, within "
                                  "pfc.relay_delay",
                                  text_of(delay)));
        }
    }

    void skip_refusals() const {
        const auto [deep, many] = refusals();
        events_.begin_anew("relay_too_deep", port_, deep);
        events_.begin_anew("relay_limited", port_, many);
    }

    void at_refusals(EventSink::Time time) {
        const auto [deep, many] = refusals();
        if (const auto more = events_.growth("relay_too_deep", port_, deep, time)) {
            warn("relay_too_deep",
                 fmt::format("{} pause(s) of its peer passed {} relay(s) or more: obeyed here and "
                             "not relayed; the limit is pause_relay.depth",
                             *more, settings_.depth));
        }
        if (const auto more = events_.growth("relay_limited", port_, many, time)) {
            warn("relay_limited",
                 fmt::format("{} pause(s) of its peer obeyed here and not relayed: more than {} "
                             "began in a second; the limit is pause_relay.limit",
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
        events_.warn(std::move(kind), port_, std::move(text));
    }
    void add_event(std::string kind, std::string text) {
        events_.notice(std::move(kind), port_, std::move(text));
    }
    [[nodiscard]] const std::string& other() const { return subject_.ports[settings_.to].name; }
    // Returns the time rounded to three digits, because the measurement is not more accurate.
    static std::string text_of(Nanos time) {
        int64_t unit = 1;
        while (time.count() / unit >= 1000) unit *= 10;
        return config::format_time((time.count() + unit - 1) / unit * unit);
    }

    const RelayWatch::Subject& subject_;
    const PortIndex port_;
    const PauseRelaySettings& settings_;
    const PauseRelay& relay_;
    EventSink& events_;
};

}  // namespace

void RelayWatch::look(const Subject& subject, EventSink::Time time) {
    for (PortIndex port = 0; port < ports_.size(); ++port) {
        if (subject.ports[port].vacant) continue;
        Reported& reported = ports_[port];
        Look end(subject, port, events_);
        if (!end.is_end()) {
            forget(port);
            continue;
        }
        if (std::exchange(reported.begins_anew, false)) end.skip_refusals();
        end.at_cuts(reported.cut);
        end.at_who_obeys(reported);
        end.at_delay(reported.late);
        end.at_refusals(time);
    }
}

}  // namespace sluice::control
