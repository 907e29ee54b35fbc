#include "dataplane/ingress_pipeline/slow_path.h"

#include <bit>

#include "dataplane/ingress/dcbx_defence.h"
#include "dataplane/ingress/tagging.h"
#include "dataplane/ingress_pipeline/observers.h"

namespace sluice {
namespace {

Drop apply_storm_control(StormControl& limits, const Forwarding::Shard& forwarding,
                         const Frame& frame, const Fdb::Probe& destination, Nanos now) {
    if (!limits.limits()) return Drop::none;
    const auto kind = forwarding.storm_control_kind(destination);
    return kind ? limits.admit(*kind, frame.size(), now) : Drop::none;
}

// Limits the outputs of a group frame to the group's members. An IGMP or MLD report is processed
// even if the report has no output.
[[gnu::noinline]] Drop forward_to_group(Multicast::Shard& multicast, const Frame& frame,
                                        const Fdb::Probe& destination, Drop why, Nanos now,
                                        PortSet& outputs) {
    if (why != Drop::none && why != Drop::no_output) return why;
    const Drop of_group = multicast.filter(frame, destination.key, now, outputs);
    return why == Drop::none ? of_group : why;
}

[[gnu::noinline]] Drop filter_outputs_by_mtu(const IngressContext& context, const Frame& frame,
                                             PortSet& outputs) {
    const TagForm came = form_of_tag(frame, context.ingress.settings().tagging);
    const PortSet fitting =
        context.forwarding.outputs_within_mtu(frame, context.edits_tags ? &came : nullptr, outputs);
    const int none_left = fitting == 0 ? 1 : 0;  // then the caller counts one of the drops
    const auto refused = static_cast<uint64_t>(std::popcount(outputs & ~fitting) - none_left);
    context.counters.copied.add(refused);
    context.counters.drops.count(Drop::mtu_exceeded, refused);
    if (context.observed) [[unlikely]] {
        for_each_port(
            fitting == 0 ? outputs & (outputs - 1) : outputs & ~fitting,
            [&](PortIndex output) { capture_drop(context, frame, output, Drop::mtu_exceeded); });
    }
    if (context.tracer != nullptr) context.tracer->too_long(outputs & ~fitting);
    outputs = fitting;
    return fitting == 0 ? Drop::mtu_exceeded : Drop::none;
}

}  // namespace

bool all_take_slow_path(const IngressContext& context) {
    return context.ingress.storm_control().limits() || context.aggregations.any() ||
           context.groups || context.forwarding.refuses_unknown() ||
           context.ingress.settings().dcbx_defence != 0;
}

template <Fdb::Where where>
[[gnu::noinline]] Drop take_slow_path(IngressContext& context, Frame& frame,
                                      const Forwarding::Shard::Probes& probes, PortSet& outputs) {
    Forwarding::Shard& forwarding = context.forwarding;
    const Fdb::Probe& destination = probes.destination;
    const bool discards =
        is_kept_out(frame, Fdb::address_of(destination.key), context.ingress.settings());
    Drop why = discards ? Drop::dcbx_defence
                        : forwarding.route<where>(frame, destination, context.reachable, outputs);
    if (why == Drop::none && forwarding.refuses_unknown() &&
        forwarding.refuses(frame, destination)) {
        why = Drop::unknown_unicast;
    }
    if (why == Drop::none) {
        why = apply_storm_control(context.ingress.storm_control(), forwarding, frame, destination,
                                  context.now);
    }
    if (context.groups && Fdb::address_of(destination.key).is_group()) {
        why =
            forward_to_group(forwarding.multicast(), frame, destination, why, context.now, outputs);
    }
    frame.set_input(context.port);
    if (why != Drop::none) return why;
    if (context.aggregations.any()) {
        outputs = context.aggregations.senders(outputs, context.open, [&](DistributionHash by) {
            return forwarding.flow_of(by, frame, probes, context.ingress.format());
        });
    }
    if (frame.size() <= forwarding.mtus().any_port_sends()) return Drop::none;
    return filter_outputs_by_mtu(context, frame, outputs);
}

template Drop take_slow_path<Fdb::Where::hashed>(IngressContext&, Frame&,
                                                 const Forwarding::Shard::Probes&, PortSet&);
template Drop take_slow_path<Fdb::Where::either>(IngressContext&, Frame&,
                                                 const Forwarding::Shard::Probes&, PortSet&);

}  // namespace sluice
