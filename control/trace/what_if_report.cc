#include "control/trace/what_if_report.h"

#include <array>

#include "control/show/noun_snapshots.h"
#include "control/trace/report.h"

namespace sluice::control {

namespace {

Json storm_json(const std::optional<StormControlKind>& kind) {
    static constexpr std::array<std::string_view, 3> names = {"broadcast", "unknown_unicast",
                                                              "multicast"};
    static_assert(names.size() == storm_control_kinds);
    return kind ? Json(names[static_cast<std::size_t>(*kind)]) : Json();
}

// Returns one copy, with the queue that it would find at this moment.
Json predicted_json(const View& view, const TracedFrame& frame, const WhatIf::Copy& copy) {
    const Priority priority = frame.priority;
    const Voq& voq = view.dataplane.ingress(frame.port).voq(copy.output, priority);
    const Egress& egress = view.dataplane.egress(copy.output);
    const PrioritySet both = view.settings.ports[frame.port].pfc.lossless &
                             view.settings.ports[copy.output].pfc.lossless;
    return {{"output", view.ports[copy.output].name},
            {"vtep", vtep_for(view, copy.output, frame.vlan, frame.headers.destination)},
            {"vni", vni_for(view, copy.output, frame.vlan)},
            {"mirrored", copy.mirrored},
            {"priority", priority},
            {"vlan", frame.vlan},
            {"tag", edit_name(copy.edit)},
            {"length", copy.length},
            {"reason", copy.why == Drop::none ? Json() : Json(name_of(copy.why))},
            {"lossless", !copy.mirrored && (both & only_priority(priority)) != 0},
            {"queue_frames", voq.waiting()},
            {"queue_bytes", voq.bytes().count()},
            {"egress_frames", egress.queue(priority).waiting()},
            {"output_paused", egress.gate().history(priority).lasts(view.now)},
            {"output_lacks_credit", view.dataplane.credit(copy.output).withholds(priority)}};
}

}  // namespace

Json what_if_report(const View& view, const WhatIf::Answer& answer) {
    const TracedFrame& frame = answer.frame;
    Json copies = Json::array();
    for (const WhatIf::Copy& copy : std::span(answer.copies).first(answer.copy_count)) {
        copies.push_back(predicted_json(view, frame, copy));
    }
    Json what = way_in_json(view, frame);
    what["storm_control"] = storm_json(answer.storm_control);
    what["copies"] = std::move(copies);
    return what;
}

}  // namespace sluice::control
