#include "control/show/noun_snapshots.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dataplane/buffer/pause_levels.h"

namespace sluice::control {

namespace {

constexpr std::size_t most_reasons = 3;

// One (port, priority): an input that may pause its peer, and an output that the peer may pause.
class Group {
  public:
    Group(const View& view, PortIndex port, Priority priority)
        : view_(view),
          port_(port),
          priority_(priority),
          ingress_(view.dataplane.ingress(port)),
          egress_(view.dataplane.egress(port)),
          pfc_(view.settings.ports[port].pfc),
          free_(view.dataplane.pool().size() - view.dataplane.pool().used()) {}

    [[nodiscard]] bool is_lossless() const {
        return (pfc_.lossless & only_priority(priority_)) != 0;
    }
    [[nodiscard]] bool was_used() const { return max() != 0; }
    [[nodiscard]] bool was_paused_or_paused() const {
        return egress_.gate().xoffs_received(priority_) != 0 ||
               egress_.gate().relay().pauses(priority_) != 0 ||
               ingress_.pause_sender().xoff_sent(priority_) != 0 ||
               ingress_.pause_sender().stops(priority_) != 0 ||
               (by_queue() && egress_.queue_backpressure().refusals(priority_) != 0);
    }

    [[nodiscard]] Json pauses() const {
        const PauseGate& gate = egress_.gate();
        const QueueBackpressure& queue = egress_.queue_backpressure();
        // The history of pauses by the peer. If the device has a queue for each priority, a full
        // queue of the priority counts as a pause.
        const TimeHistory& paused = by_queue() ? queue.history(priority_) : gate.history(priority_);
        const PauseSender& xoff = ingress_.pause_sender();
        const Nanos now = view_.now;
        return {
            {"port", view_.ports[port_].name},
            {"priority", priority_},
            {"lossless", is_lossless()},
            {"unproven", unproven()},
            {"peers", peers()},
            {"bits_sent", list_of(pfc_.bits.sent[priority_])},
            {"bits_received", list_of(bits_received())},
            {"by", name_of(pfc_.by)},
            {"rx_pause", gate.xoffs_received(priority_)},
            {"queue_refusals", queue.refusals(priority_)},
            {"device_rx_pause", of_device(&PortView::device_pauses_received)},
            {"paused", paused.lasts(now)},
            {"paused_ns", paused.total(now).count()},
            {"paused_last_second_ns", paused.last_second(now).count()},
            {"paused_last_minute_ns", paused.last_minute(now).count()},
            {"paused_transitions", paused.spans()},
            {"paused_recent_ns", recent_length(paused)},
            {"paused_recent_at", recent_begin(paused)},
            {"holds_up", inputs_held_up()},
            {"watchdog", watchdog_state()},
            {"storms", egress_.watchdog().detected(priority_)},
            {"restored", egress_.watchdog().restored(priority_)},
            {"restores_after_ns", egress_.watchdog().restores_after(priority_).count()},
            {"storm_returns", egress_.watchdog().returns(priority_)},
            {"storm_ns", egress_.watchdog().history(priority_).total(now).count()},
            {"storm_dropped", storm_dropped()},
            {"relayed_to", relayed_to()},
            {"relayed_pause", gate.relay().pauses(priority_)},
            {"relayed_resume", gate.relay().resumes(priority_)},
            {"relay_cut", (gate.relay().cut() & only_priority(priority_)) != 0},
            {"relay_cuts", gate.relay().cuts(priority_)},
            {"relay_too_deep", gate.relay().too_deep(priority_)},
            {"relay_too_many", gate.relay().too_many(priority_)},
            {"tx_pause", xoff.xoff_sent(priority_)},
            {"tx_resume", xoff.xon_sent(priority_)},
            {"queue_stops", xoff.stops(priority_)},
            {"pause_ignored", ingress_.obedience().late(priority_)},
            {"xoff_repeated", ingress_.obedience().repeats(priority_)},
            {"device_tx_pause", of_device(&PortView::device_pauses_sent)},
            {"pausing", xoff.pausing(priority_)},
            {"pausing_ns", xoff.history(priority_).total(now).count()},
            {"pausing_last_second_ns", xoff.history(priority_).last_second(now).count()},
            {"pausing_last_minute_ns", xoff.history(priority_).last_minute(now).count()},
            {"pausing_transitions", xoff.history(priority_).spans()},
            {"pausing_recent_ns", recent_length(xoff.history(priority_))},
            {"pausing_recent_at", recent_begin(xoff.history(priority_))},
            {"because_of", pause_causes()},
            {"trigger", pfc_.trigger == PauseTrigger::ingress ? "ingress" : "egress"},
            {"occupancy_bytes", sum(&IngressPriorityGroup::occupancy).count()},
            // The levels at this moment: with pfc.alpha they depend on the free pool.
            {"xoff_bytes", xoff_level(pfc_, free_).count()},
            {"xon_bytes", xon_level(pfc_, free_).count()},
            {"headroom_bytes", pfc_.headroom.count()},
            {"headroom_used_max", headroom_max()},
        };
    }
    [[nodiscard]] Json buffer() const {
        // Returns null for a lossy group, which has no such levels.
        const auto level = [this](Bytes bytes) {
            return is_lossless() ? Json(bytes.count()) : Json();
        };
        return {
            {"port", view_.ports[port_].name},
            {"priority", priority_},
            {"lossless", is_lossless()},
            {"occupancy_bytes", sum(&IngressPriorityGroup::occupancy).count()},
            {"occupancy_max", max()},
            {"reserved_bytes", level(pfc_.reserved)},
            {"used_bytes", level(sum(&IngressPriorityGroup::used))},
            {"xoff_bytes", level(xoff_level(pfc_, free_))},
            {"xon_bytes", level(xon_level(pfc_, free_))},
            {"headroom_bytes", level(pfc_.headroom)},
            {"headroom_used", sum(&IngressPriorityGroup::headroom).count()},
            {"headroom_used_max", headroom_max()},
        };
    }

  private:
    // Returns the length of the last pause, or of the current one; null if there was none.
    [[nodiscard]] Json recent_length(const TimeHistory& history) const {
        return history.spans() == 0 ? Json() : Json(history.recent(view_.now).length.count());
    }
    [[nodiscard]] Json recent_begin(const TimeHistory& history) const {
        return history.spans() == 0 ? Json() : Json(time_of(view_, history.recent(view_.now).from));
    }
    [[nodiscard]] bool by_queue() const { return pfc_.by == PfcBy::queues; }
    // Returns a counter of the device; null if the device does not count it.
    [[nodiscard]] Json of_device(std::vector<uint64_t> PortView::*counts) const {
        const std::vector<uint64_t>& counters = view_.ports[port_].*counts;
        return counters.empty() ? Json() : Json(counters[priority_]);
    }
    // Returns the port whose peer receives the pauses of this port's peer; null if this switch
    // obeys the pauses itself.
    [[nodiscard]] Json relayed_to() const {
        const PauseRelaySettings& relay = pfc_.relay;
        const PrioritySet relayed = relay.priorities & egress_.gate().relay().priorities();
        const bool is_relayed = (relayed & only_priority(priority_)) != 0;
        return is_relayed ? Json(view_.ports[relay.to].name) : Json();
    }
    // Returns the directions (`rx`, `tx`) that losslessness relies on and that no frame has proven
    // yet.
    [[nodiscard]] Json unproven() const {
        Json list = Json::array();
        if (!is_lossless()) return list;
        const Abilities can = abilities_of(view_, port_);
        if (can.pfc_rx == PauseAbility::unproven) list.push_back("rx");
        if (can.pfc_tx == PauseAbility::unproven) list.push_back("tx");
        return list;
    }
    // Returns the addresses whose pauses are obeyed; null if pauses of any address are.
    [[nodiscard]] Json peers() const {
        if (pfc_.peers.anybody()) return {};
        Json list = Json::array();
        for (const MacAddress station : pfc_.peers.named()) list.push_back(to_text(station));
        return list;
    }
    // Returns which priority bits of the peer's pause frames pause this priority.
    [[nodiscard]] PrioritySet bits_received() const {
        PrioritySet bits = 0;
        for (Priority bit = 0; bit < max_priorities; ++bit) {
            const PrioritySet held = pfc_.bits.received[bit];
            if ((held & only_priority(priority_)) != 0) bits |= only_priority(bit);
        }
        return bits;
    }
    static Json list_of(PrioritySet bits) {
        Json list = Json::array();
        for_each_priority(bits, [&](Priority bit) { list.push_back(bit); });
        return list;
    }
    template <class Sum = Bytes>
    [[nodiscard]] Sum sum(Sum (IngressPriorityGroup::*of)() const) const {
        return view_.dataplane.sum_of_lanes(port_, [&](InputIndex lane) {
            return (view_.dataplane.ingress(lane).group(priority_).*of)();
        });
    }
    // Returns the highest occupancy. With several lanes this is the sum of the lanes' maxima, which
    // may be of different moments.
    [[nodiscard]] uint64_t max() const { return sum(&IngressPriorityGroup::max); }
    // Returns the most headroom used. Each lane keeps the maximum of the sum over all lanes that it
    // has seen.
    [[nodiscard]] uint64_t headroom_max() const {
        uint64_t most = 0;
        sluice::for_each_port(view_.dataplane.lanes_of(port_), [&](PortIndex lane) {
            const IngressPriorityGroup& group = view_.dataplane.ingress(lane).group(priority_);
            most = std::max(most, group.headroom_max());
        });
        return most;
    }
    // Returns how many pauses of the input's peer began because of `output`.
    [[nodiscard]] uint64_t pauses_caused(PortIndex input, PortIndex output) const {
        return view_.dataplane.sum_of_lanes(input, [&](InputIndex lane) {
            return view_.dataplane.ingress(lane).pauses_caused({output, priority_});
        });
    }
    [[nodiscard]] std::string_view watchdog_state() const {
        const PrioritySet bit = only_priority(priority_);
        if ((egress_.watchdog().pfc_storms() & bit) != 0) return "stormed";
        if (egress_.stall_watch().is_stalled()) return "stalled";
        return (egress_.watchdog().watched() & bit) == 0 ? "off" : "operational";
    }
    [[nodiscard]] uint64_t storm_dropped() const {
        uint64_t frames = egress_.watchdog_drops(priority_);
        for (PortIndex input = 0; input < view_.dataplane.input_count(); ++input) {
            frames += view_.dataplane.ingress(input).watchdog_drops({port_, priority_});
        }
        return frames;
    }

    // Returns the ports with the highest counts, highest first, without those whose count is 0.
    template <class Count>
    [[nodiscard]] Json top(const char* key, Count count) const {
        std::vector<std::pair<uint64_t, PortIndex>> ranking;
        for (PortIndex other = 0; other < view_.ports.size(); ++other) {
            if (const uint64_t pauses = count(other); pauses > 0 && !view_.ports[other].vacant)
                ranking.emplace_back(pauses, other);
        }
        std::ranges::sort(ranking, std::greater());
        Json rows = Json::array();
        for (const auto& [pauses, other] : ranking) {
            if (rows.size() == most_reasons) break;
            rows.push_back({{key, view_.ports[other].name}, {"pauses", pauses}});
        }
        return rows;
    }
    // Returns the outputs that caused most pauses of this input's peer, and the output that caused
    // the last pause, which may not be among those. An output causes a pause if most frames of the
    // input wait for that output when the pause begins.
    [[nodiscard]] Json pause_causes() const {
        Json rows =
            top("output", [this](PortIndex output) { return pauses_caused(port_, output); });
        sluice::for_each_input(view_.dataplane.lanes_of(port_), [&](InputIndex lane) {
            const PortIndex last = view_.dataplane.ingress(lane).last_cause(priority_);
            if (last >= view_.ports.size() || view_.ports[last].vacant) return;
            const std::string& name = view_.ports[last].name;
            const bool is_listed = std::ranges::any_of(
                rows, [&](const Json& row) { return row.at("output") == name; });
            if (is_listed) return;
            rows.push_back({{"output", name}, {"pauses", pauses_caused(port_, last)}});
        });
        return rows;
    }
    // Returns the inputs whose peers were paused because of this output.
    [[nodiscard]] Json inputs_held_up() const {
        return top("input", [this](PortIndex input) { return pauses_caused(input, port_); });
    }

    const View& view_;
    PortIndex port_;
    Priority priority_;
    const Ingress& ingress_;
    const Egress& egress_;
    const PfcSettings& pfc_;
    Bytes free_;
};

}  // namespace

Json stalls_of(const View& view, PortIndex port) {
    const StallWatch& stalls = view.dataplane.egress(port).stall_watch();
    return {
        {"egress_stalled", stalls.is_stalled()},
        {"egress_stalls", stalls.detected()},
        {"egress_stalled_ns", stalls.history().total(view.now).count()},
    };
}

Json pfc_snapshot(const View& view, bool all) {
    Json rows = Json::array();
    for_each_group(view, [&](PortIndex port, Priority priority) {
        const Group group(view, port, priority);
        if (all || group.is_lossless() || group.was_paused_or_paused()) {
            rows.push_back(group.pauses());
        }
    });
    return rows;
}

Json buffer_snapshot(const View& view, bool all) {
    const SharedBuffer& pool = view.dataplane.pool();
    uint64_t max_used = 0;
    for (const SharedBuffer::Shard& share : pool.shards()) max_used += share.max_used();
    const Bytes used = pool.used();
    Json groups = Json::array();
    for_each_group(view, [&](PortIndex port, Priority priority) {
        const Group group(view, port, priority);
        if (all || group.was_used()) groups.push_back(group.buffer());
    });
    return {
        {"size_bytes", view.settings.buffer.size.count()},
        {"cell_bytes", view.settings.buffer.cell.count()},
        {"reserved_bytes", view.settings.buffer.reserved.count()},
        {"alpha", static_cast<double>(view.settings.buffer.alpha_128) / 128},
        {"pool",
         {
             {"size_bytes", pool.size().count()},
             {"used_bytes", used.count()},
             {"free_bytes", std::max(pool.size() - used, Bytes(0)).count()},
             // With several workers this is the sum of the workers' maxima, which may be of
             // different moments.
             {"max_used_bytes", max_used},
         }},
        {"groups", std::move(groups)},
    };
}

}  // namespace sluice::control
