#include "tools/gen/demo/phases.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::gen {

DemoPhases::DemoPhases(DemoSwitch& demo, const DemoSettings& settings)
    : demo_(demo), settings_(settings) {
    const PortSettings& first = demo.settings().ports[demo.stations().front()];
    style_.family = first.format.family;
    style_.ecn_capable =
        std::ranges::any_of(first.ecn, [](const EcnSettings& ecn) { return ecn.high.count() > 0; });
}

PhasePlan DemoPhases::plan(std::string name, std::string title, Shape shape,
                           PrioritySet priorities) {
    PhasePlan plan{std::move(name), std::move(title),
                   demo_traffic(settings_.ports, shape, priorities, settings_.frame_octets),
                   settings_.duration, false};
    SenderSettings& senders = plan.traffic.senders;
    senders.style = style_;
    senders.pattern.seed = settings_.seed;
    senders.queue_a_priority = pauses_by_queue();
    senders.run = next_run_++;
    return plan;
}

bool DemoPhases::shares_a_trunk() const {
    return demo_.stations().size() < demo_.fabric().port_count();
}

bool DemoPhases::pauses_by_queue() const {
    return demo_.settings().ports[demo_.stations().front()].pfc.by == PfcBy::queues;
}

// Returns only the lossless priority if switches share a trunk: the trunk cannot carry the load of
// all stations of one switch, so lossy priorities would lose frames.
PrioritySet DemoPhases::uniform_priorities() const {
    constexpr PrioritySet lossless = only_priority(demo_lossless);
    return shares_a_trunk() ? lossless : lossless | only_priority(0) | only_priority(5);
}

PhaseResult DemoPhases::uniform(const Look& look) {
    const std::string_view priorities =
        shares_a_trunk() ? "lossless priority 3" : "priorities 0, 3 and 5";
    return run_phase(
        demo_,
        plan("uniform", fmt::format("all stations to all on {}, at full rate", priorities),
             Shape::uniform, uniform_priorities()),
        look);
}

PhaseResult DemoPhases::uniform_paced(const PhaseResult& flat_out, const Share& share,
                                      const Look& look) {
    PhasePlan phase =
        plan("uniform_paced", fmt::format("all stations to all at {} of that rate", share.name),
             Shape::uniform, uniform_priorities());
    phase.traffic.senders.rate = flat_out.share_of_port(share.part);
    phase.duration = settings_.duration / 2;
    return run_phase(demo_, std::move(phase), look);
}

PhaseResult DemoPhases::many_to_one(bool lossless, const PhaseResult& flat_out, const Look& look) {
    const std::string& slow = demo_.name_of(demo_.stations().front());
    PhasePlan phase = lossless
                          ? plan("many_to_one_lossless",
                                 fmt::format("all to slow station {} on lossless priority 3", slow),
                                 Shape::incast, only_priority(demo_lossless))
                          : plan("many_to_one_lossy",
                                 fmt::format("all to slow station {} on lossy priority 0", slow),
                                 Shape::incast, only_priority(0));
    phase.may_lose = !lossless;
    phase.traffic.host = flat_out.share_of_port(0.5);
    if (lossless && !pauses_by_queue()) {
        phase.traffic.pauses = only_priority(demo_lossless);
        phase.traffic.pauses_from = demo_.clock().now() + settings_.duration / 2;
    }
    return run_phase(demo_, std::move(phase), look);
}

}  // namespace sluice::gen
