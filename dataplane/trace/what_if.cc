#include "dataplane/trace/what_if.h"

#include <bit>
#include <memory>

#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress/dcbx_defence.h"
#include "dataplane/ingress/examine.h"
#include "dataplane/ingress/loop_probe.h"
#include "dataplane/ingress/neighbour_packet.h"
#include "dataplane/ingress/tagging.h"

namespace sluice {

WhatIf::Answer WhatIf::operator()(PortIndex number, std::span<uint8_t> octets, Nanos now,
                                  const Guard& guard) {
    const PortSettings& port = settings_.ports[number];
    const Format format(port.format);
    Frame frame{};
    frame.data = octets.data();
    frame.length = static_cast<uint16_t>(octets.size());
    Answer answer;
    TracedFrame& met = answer.frame;
    met.received_at = now;
    met.input = number;
    met.port = number;
    met.length = frame.length;
    met.parsed = read_headers(format, octets, met.headers);
    Headers headers;
    met.why = examine(port, format, frame, headers, now);
    if (guard.probes_of != 0 && may_be_probe(met.why, guard.refusal) &&
        is_probe_of(guard.probes_of, octets)) {
        met.why = Drop::loop_probe;
    }
    if (met.why != Drop::none) return answer;
    const auto decision = Classifier(port.classify, port.format).decide(headers, octets);
    frame.set_input(forwarding_.aggregations().bridge_port(number));
    frame.vlan = headers.vlan != 0 ? headers.vlan : port.default_vlan;
    frame.network_offset = headers.network_offset;
    frame.priority = decision.priority;
    met.classified = true;
    met.rule = decision.source;
    met.vlan = frame.vlan;
    met.priority = frame.priority;
    met.why = guard.refusal;
    if (met.why != Drop::none) return answer;

    const FrameFormat& layout = port.format;
    const auto probes =
        forwarding_.prepare<Fdb::Where::either>(layout.family, layout.learns, frame, headers, {});
    met.looked_up = true;
    met.is_member = forwarding_.enter(frame) == Drop::none;
    if (layout.learns) met.source = TracedAddress::of(forwarding_.known(probes.source));
    met.destination = TracedAddress::of(forwarding_.known(probes.destination));
    met.why =
        layout.learns ? forwarding_.would_accept(frame, probes.source) : forwarding_.enter(frame);
    if (met.why == Drop::none && is_suppressed(number, format, frame)) {
        met.why = Drop::neigh_suppressed;
    }
    if (met.why == Drop::none) met.why = forward(port, number, frame, probes, now, answer);
    if (met.why != Drop::none) {
        met.outputs = 0;
        return answer;
    }
    copy(port, frame, forwarding_.edits_tags() && layout.ether_type, answer);
    return answer;
}

// A pause frame or LLDP is passed to a mailbox that no thread reads.
Drop WhatIf::examine(const PortSettings& port, const Format& format, Frame& frame, Headers& headers,
                     Nanos now) const {
    const auto nobody = std::make_unique<LaneMail>();
    ControlReceiver control(port, *nobody, now);
    return format.is_standard ? sluice::examine<true>(frame, headers, port, format, control)
                              : sluice::examine<false>(frame, headers, port, format, control);
}

bool WhatIf::is_suppressed(PortIndex number, const Format& format, const Frame& frame) const {
    const bool is_looked_at = forwarding_.suppresses(number) && format.is_standard &&
                              forwarding_.suppresses_in(frame.vlan);
    if (!is_looked_at) return false;
    const TagForm came = form_of_tag(frame, settings_.ports[number].tagging);
    const auto packet = read_neighbour_packet({frame.data, frame.length}, came.tagged);
    const NeighbourFilter& neighbours = forwarding_.neighbours();
    return packet && packet->target &&
           neighbours.has(neighbours.answered(frame.vlan, *packet->target));
}

Drop WhatIf::forward(const PortSettings& port, PortIndex number, Frame& frame,
                     const Forwarding::Shard::Probes& probes, Nanos now, Answer& answer) {
    TracedFrame& met = answer.frame;
    const PortSet reachable = forwarding_.reachable(number, outputs_);
    Drop why = Drop::dcbx_defence;
    if (!is_kept_out(frame, Fdb::address_of(probes.destination.key), port)) {
        why = forwarding_.route<Fdb::Where::either>(frame, probes.destination, reachable,
                                                    met.outputs);
    }
    if (why == Drop::none && forwarding_.refuses(frame, probes.destination)) {
        why = Drop::unknown_unicast;
    }
    if (why == Drop::none) {
        const auto kind = forwarding_.storm_control_kind(probes.destination);
        if (kind && port.storm_control.rate[static_cast<std::size_t>(*kind)] != 0)
            answer.storm_control = kind;
    }
    const bool is_group = Fdb::address_of(probes.destination.key).is_group();
    if (is_group && why == Drop::none && forwarding_.multicast().in_use()) {
        why = forwarding_.multicast().filter(frame, probes.destination.key, now, met.outputs);
    }
    frame.set_input(number);
    if (why != Drop::none) return why;
    met.outputs =
        forwarding_.aggregations().senders(met.outputs, outputs_, [&](DistributionHash by) {
            return forwarding_.flow_of(by, frame, probes, Format(port.format));
        });
    const TagForm came = form_of_tag(frame, port.tagging);
    const bool edits_tags = forwarding_.edits_tags() && port.format.ether_type;
    const PortSet fitting =
        forwarding_.outputs_within_mtu(frame, edits_tags ? &came : nullptr, met.outputs);
    met.too_long = met.outputs & ~fitting;
    met.outputs = fitting;
    return fitting == 0 ? Drop::mtu_exceeded : Drop::none;
}

void WhatIf::copy(const PortSettings& port, const Frame& frame, bool edits_tags,
                  Answer& answer) const {
    const Mirrors& mirrors = forwarding_.mirrors();
    const PortSet outputs = answer.frame.outputs;
    const TagForm came = form_of_tag(frame, port.tagging);
    PortSet queued = 0;
    for_each_port(outputs, [&](PortIndex output) {
        const TagEdit edit = edits_tags ? forwarding_.tag_edit(frame, came, output) : TagEdit::none;
        add(answer, frame, output, edit, false);
        if (answer.copies[answer.copy_count - 1].why == Drop::none) queued |= only(output);
    });
    if (!mirrors.any()) return;
    for_each_port(mirrors.copies(frame.input, queued) & outputs_ & ~outputs,
                  [&](PortIndex output) { add(answer, frame, output, TagEdit::none, true); });
}

void WhatIf::add(Answer& answer, Frame frame, PortIndex output, TagEdit edit, bool mirrored) const {
    const Drop why = early_drop(answer, frame, output, mirrored);
    plan(frame, edit);
    answer.copies[answer.copy_count++] = {
        .output = output, .mirrored = mirrored, .edit = edit, .length = frame.length, .why = why};
}

Drop WhatIf::early_drop(const Answer& answer, const Frame& frame, PortIndex output,
                        bool mirrored) const {
    if (mirrored && !forwarding_.mtus().fits(frame.size(), output)) return Drop::mtu_exceeded;
    const Discards& discards = discarding_[output];
    if ((discards.storms & only_priority(frame.priority)) != 0) return Drop::pfc_storm;
    const bool is_copy = mirrored || !std::has_single_bit(answer.frame.outputs);
    const bool stalled = discards.all || (is_copy && discards.copies);
    return stalled ? Drop::egress_stalled : Drop::none;
}

}  // namespace sluice
