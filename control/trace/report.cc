#include "control/trace/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "control/show/noun_snapshots.h"
#include "dataplane/types/enum_count.h"

namespace sluice::control {

namespace {

std::string_view way_name(TraceWay way) {
    static constexpr std::array<std::string_view, 5> names = {"refused", "bypassed", "handed_over",
                                                              "queued", "trimmed"};
    static_assert(names.size() == count_of<TraceWay>);
    return names[static_cast<std::size_t>(way)];
}

std::string_view end_name(TraceSession::End end) {
    static constexpr std::array<std::string_view, 4> names = {"complete", "time", "superseded",
                                                              "unanswered"};
    static_assert(names.size() == count_of<TraceSession::End>);
    return names[static_cast<std::size_t>(end)];
}

Json drop_json(Drop why) { return why == Drop::none ? Json() : Json(name_of(why)); }

std::string hexadecimal(std::span<const uint8_t> octets) {
    std::string text;
    for (const uint8_t octet : octets) text += fmt::format("{:02x}", octet);
    return text;
}

// Returns where the copy waits, or how it left the switch.
std::string_view state_name(const TracedCopy& copy) {
    if (copy.notes.way == TraceWay::trimmed) return "trimmed";
    if (copy.closed) return copy.notes.why == Drop::none ? "sent" : "dropped";
    return copy.notes.way == TraceWay::queued && !copy.notes.left_voq ? "in_voq" : "in_egress";
}

// Returns the values that decided admission. Levels of a lossy group are null.
Json admission_json(const CopyNotes& copy) {
    const Admission& found = copy.found;
    const auto level = [&](Bytes bytes) { return found.lossless ? Json(bytes.count()) : Json(); };
    return {{"way", way_name(copy.way)},
            {"lossless", found.lossless},
            {"queue_frames", found.frames},
            {"queue_bytes", found.queue.count()},
            {"threshold_bytes", found.lossless ? Json() : Json(found.threshold.count())},
            {"pool_free_bytes", found.free.count()},
            {"group_bytes", level(found.group)},
            {"xoff_bytes", level(found.xoff)},
            {"headroom_used", level(found.headroom)},
            {"headroom_bytes", level(found.headroom_size)},
            {"pausing", found.pausing},
            {"by_credit", found.by_credit},
            {"output_paused", copy.paused},
            {"output_lacks_credit", copy.withheld},
            {"egress_frames", copy.ahead_in_egress}};
}

Json copy_json(const View& view, const TracedFrame& frame, const TracedCopy& traced) {
    const CopyNotes& copy = traced.notes;
    const bool closed = traced.closed;
    const Nanos end = closed ? copy.ended_at : view.now;
    const auto& gate = view.dataplane.egress(copy.output).gate();
    const CreditWatch& credit = view.dataplane.credit(copy.output);
    const Nanos blocked =
        closed ? copy.blocked_in_all : credit.blocked(copy.priority) - copy.blocked_before;
    const Nanos paused =
        closed ? copy.paused_in_all : gate.history(copy.priority).total(end) - copy.paused_before;
    const bool queued = copy.way == TraceWay::queued;
    const Nanos left_voq = copy.left_voq ? copy.left_voq_at : end;
    const bool crossed = copy.way != TraceWay::refused && (!queued || copy.left_voq);
    const Nanos crossed_at = queued ? left_voq : frame.received_at;
    return {{"output", view.ports[copy.output].name},
            {"vtep", vtep_for(view, copy.output, copy.vlan, frame.headers.destination)},
            {"vni", vni_for(view, copy.output, copy.vlan)},
            {"mirrored", copy.mirrored},
            {"priority", copy.priority},
            {"vlan", copy.vlan},
            {"tag", edit_name(copy.edit)},
            {"admitted", admission_json(copy)},
            {"voq_ns", queued ? Json((left_voq - frame.received_at).count()) : Json()},
            {"egress_ns", crossed ? Json((end - crossed_at).count()) : Json()},
            {"paused_ns", paused.count()},
            {"lacked_credit_ns", blocked.count()},
            {"marked", copy.marked},
            {"refused_by_device", copy.refused_by_device},
            {"state", state_name(traced)},
            {"after_ns", (end - frame.received_at).count()},
            {"reason", drop_json(copy.why)},
            {"length", closed && copy.why == Drop::none ? Json(copy.length) : Json()}};
}

std::string_view rule_name(PrioritySource rule) {
    static constexpr std::array<std::string_view, 6> names = {
        "port_default", "pcp", "dscp", "traffic_class", "roce", "application"};
    static_assert(names.size() == priority_sources + 1);
    return names[static_cast<std::size_t>(rule)];
}

std::string_view result_name(const TracedFrame& frame) {
    if (frame.destination.known) return "hit";
    if (frame.headers.destination == broadcast_address) return "broadcast";
    return frame.headers.destination.is_group() ? "group" : "unknown";
}

Json headers_json(FormatFamily family, const Headers& headers) {
    const bool is_ip = headers.network_offset != 0;
    return {{"dst", to_text(family, headers.destination)},
            {"src", to_text(family, headers.source)},
            {"tag_vlan", headers.tagged ? Json(headers.vlan) : Json()},
            {"pcp", headers.tagged ? Json(headers.pcp) : Json()},
            {"ether_type", fmt::format("0x{:04x}", headers.ether_type)},
            {"dscp", is_ip ? Json(headers.dscp) : Json()}};
}

Json address_json(const View& view, const TracedAddress& address) {
    if (!address.known) return {};
    const PortView& port = view.ports[address.port];
    return {{"port", port.aggregation.empty() ? port.name : port.aggregation},
            {"kind", name_of(address.kind)}};
}

Json classified_json(const TracedFrame& frame) {
    if (!frame.classified) return {};
    return {{"vlan", frame.vlan}, {"priority", frame.priority}, {"rule", rule_name(frame.rule)}};
}

Json lookup_json(const View& view, const TracedFrame& frame) {
    if (!frame.looked_up) return {};
    return {{"member", frame.is_member},
            {"source", address_json(view, frame.source)},
            {"destination", address_json(view, frame.destination)},
            {"result", result_name(frame)},
            {"outputs", names_of(view, frame.outputs)},
            {"too_long_for", names_of(view, frame.too_long)}};
}

Json frame_json(const View& view, const TraceSession::Traced& one) {
    const TracedFrame& frame = *one.frame;
    const auto kept = std::min<std::size_t>(frame.length, frame.octets.size());
    Json copies = Json::array();
    for (const TracedCopy& copy : one.copies) copies.push_back(copy_json(view, frame, copy));
    const bool is_lane = frame.input.number != frame.port;
    Json row = {{"at", time_of(view, frame.received_at)},
                {"lane", is_lane ? Json(frame.input.number) : Json()},
                {"octets", hexadecimal(std::span(frame.octets).first(kept))}};
    row.update(way_in_json(view, frame));
    row["copies"] = std::move(copies);
    row["untraced_copies"] = frame.untraced_copies;
    row["complete"] = are_closed(one.copies);
    return row;
}

}  // namespace

std::string_view edit_name(TagEdit edit) {
    static constexpr std::array<std::string_view, 6> names = {"as_it_came",   "pop", "push",
                                                              "push_service", "set", "set_service"};
    static_assert(names.size() == count_of<TagEdit>);
    return names[static_cast<std::size_t>(edit)];
}

Json way_in_json(const View& view, const TracedFrame& frame) {
    const FormatFamily family = view.settings.ports[frame.port].format.family;
    return {{"port", view.ports[frame.port].name},
            {"length", frame.length},
            {"parsed", frame.parsed ? headers_json(family, frame.headers) : Json()},
            {"classified", classified_json(frame)},
            {"looked_up", lookup_json(view, frame)},
            {"dropped", drop_json(frame.why)}};
}

Json trace_report(const View& view, TraceSession::End end,
                  const std::vector<TraceSession::Traced>& frames) {
    Json rows = Json::array();
    for (const TraceSession::Traced& one : frames) rows.push_back(frame_json(view, one));
    return {{"ended", end_name(end)}, {"frames", std::move(rows)}};
}

}  // namespace sluice::control
