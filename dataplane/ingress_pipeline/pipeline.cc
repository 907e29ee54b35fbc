#include "dataplane/ingress_pipeline/pipeline.h"

#include <bit>
#include <optional>
#include <utility>

#include "dataplane/ingress/examine.h"
#include "dataplane/ingress_pipeline/admission.h"
#include "dataplane/ingress_pipeline/copies.h"
#include "dataplane/ingress_pipeline/credit_count.h"
#include "dataplane/ingress_pipeline/csig_arrivals.h"
#include "dataplane/ingress_pipeline/neighbour_suppression.h"
#include "dataplane/ingress_pipeline/observers.h"
#include "dataplane/ingress_pipeline/port_guard.h"
#include "dataplane/ingress_pipeline/slow_path.h"
#include "dataplane/ingress_pipeline/verdicts.h"

namespace sluice {
namespace {

using Probes = Forwarding::Shard::Probes;

// Standard Ethernet, or a configured frame format with 48-bit addresses or with ids.
enum class Layout : uint8_t { standard, addresses, ids };

// Tables that are searched: 16-bit ids may be in the direct table.
template <Layout layout>
constexpr Fdb::Where where = layout == Layout::ids ? Fdb::Where::either : Fdb::Where::hashed;

// --- examine ---

// Stores in the frame the header fields that later steps need. The frame's input is the bridge port
// until its outputs are known.
void note_headers(const IngressContext& context, Frame& frame, const Headers& headers) {
    const Ingress& ingress = context.ingress;
    frame.set_input(context.bridge_port);
    frame.latency_mark = 0;
    frame.vlan = headers.vlan != 0 ? headers.vlan : ingress.settings().default_vlan;
    frame.network_offset = headers.network_offset;
    frame.priority = ingress.classify(headers, {frame.data, frame.length});
}

template <Layout layout>
Probes prepare(const IngressContext& context, const Frame& frame, const Headers& headers,
               const Probes& before) {
    const Forwarding::Shard& forwarding = context.forwarding;
    if constexpr (layout == Layout::standard) {
        return forwarding.prepare(FormatFamily::ethernet, true, frame, headers, before);
    }
    const FrameFormat& format = context.ingress.format().layout;
    return forwarding.prepare<where<layout>>(format.family, format.learns, frame, headers, before);
}

template <Layout layout>
[[gnu::flatten, gnu::noinline]] void examine_burst(IngressContext& context, std::span<Frame> burst,
                                                   Verdicts& verdicts) {
    const Ingress& ingress = context.ingress;
    Probes before{};
    Headers headers;  // headers of the present frame; a runt does not overwrite them
    uint64_t bytes = 0;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        bytes += burst[n].length;
        const Drop why = examine<layout == Layout::standard>(burst[n], headers, ingress.settings(),
                                                             ingress.format(), context.control);
        verdicts.drop[n] = why;
        if (why != Drop::none) continue;
        if constexpr (layout != Layout::standard) {
            const FieldReader& ttl = ingress.format().ttl;
            if (ttl.reads()) ttl.lower(burst[n].data);
        }
        note_headers(context, burst[n], headers);
        before = verdicts.probes[n] = prepare<layout>(context, burst[n], headers, before);
    }
    context.counters.rx_frames.add(burst.size());
    context.counters.rx_bytes.add(bytes);
    context.bypass.expect(Bytes(static_cast<int64_t>(bytes)) + ingress.most_added(burst.size()));
}

// --- forward ---

template <Layout layout>
Drop accept(const IngressContext& context, const Frame& frame, const Fdb::Probe& source,
            uint32_t epoch) {
    const bool learns = layout == Layout::standard || context.ingress.format().layout.learns;
    if (!learns) return context.forwarding.enter(frame);
    return context.forwarding.accept<where<layout>>(frame, source, epoch);
}

template <Layout layout, bool traced>
[[gnu::flatten, gnu::noinline]] void forward_burst(IngressContext& context, std::span<Frame> burst,
                                                   Verdicts& verdicts) {
    Forwarding::Shard& forwarding = context.forwarding;
    const Bytes longest_on_fast_path =
        all_take_slow_path(context) ? Bytes(0) : forwarding.mtus().any_port_sends();
    const uint32_t epoch = Fdb::epoch_of(context.now);
    Drop of_source = Drop::none;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        const Probes& probes = verdicts.probes[n];
        PortSet outputs = 0;
        Drop why = verdicts.drop[n];
        if constexpr (traced) {
            if (context.tracer->select(n) && why == Drop::none) {
                context.tracer->looked_up(forwarding.known(probes.source),
                                          forwarding.known(probes.destination),
                                          forwarding.enter(frame) == Drop::none);
            }
        }
        if (why == Drop::none) {
            if (!probes.same_source) {
                of_source = accept<layout>(context, frame, probes.source, epoch);
            }
            why = of_source;
        }
        if (why == Drop::none) {
            if (frame.size() > longest_on_fast_path) {
                PortSet found = 0;  // passed by address, so that `outputs` stays in a register
                why = take_slow_path<where<layout>>(context, frame, probes, found);
                outputs = found;
            } else {
                why = forwarding.route<where<layout>>(frame, probes.destination, context.reachable,
                                                      outputs);
            }
        }
        if (why == Drop::none) {
            context.bypass.prefetch({first_of(outputs), frame.priority});
        } else {
            outputs = 0;
            context.counters.drops.count(why);
            if (context.observed) [[unlikely]]
                capture_drop(context, frame, verdicts.drop[n], why);
            context.released.free(frame.handle);
        }
        verdicts.outputs[n] = outputs;
        if constexpr (traced) {
            if (context.tracer->select(n)) context.tracer->forwarded(why, outputs);
        }
    }
}

// --- queue ---

// Queues a frame for its outputs and for mirrors. A frame with one output is not marked as shared
// if it is mirrored too: ECN marks and DSCP are written to its octets, and mirrors may see them.
template <bool traced>
void enqueue(IngressContext& context, Frame& frame, PortSet outputs) {
    const Mirrors& mirrors = context.mirrors;
    const PortSet mirrored_to =
        mirrors.any() ? mirrors.copies(context.port, outputs) & context.open : 0;
    if (!std::has_single_bit(outputs | mirrored_to)) {
        return enqueue_copies<traced>(context, frame, outputs, mirrored_to);
    }
    if (context.edits_tags) [[unlikely]]
        plan_tag(context, frame, first_of(outputs));
    if (queue_or_trim<traced>(context, frame, first_of(outputs))) return;
    context.latency.forget(frame);
    context.released.free(frame.handle);
}

template <bool traced>
[[gnu::flatten, gnu::noinline]] void queue_burst(IngressContext& context, std::span<Frame> burst,
                                                 const Verdicts& verdicts, bool arrivals) {
    std::optional<QueueKey> last;  // VOQ of the last frame whose VOQ is not empty
    for (std::size_t n = 0; n < burst.size(); ++n) {
        if (verdicts.outputs[n] == 0) continue;
        const bool is_traced = traced && context.tracer->select(n);
        is_traced ? enqueue<true>(context, burst[n], verdicts.outputs[n])
                  : enqueue<false>(context, burst[n], verdicts.outputs[n]);
        if (!arrivals) [[likely]]
            continue;
        const QueueKey path{first_of(verdicts.outputs[n]), burst[n].priority};
        if (!std::as_const(context.ingress).voq(path.output, path.priority).empty()) last = path;
    }
    if (last) context.crossbar.arrived(context.input, last->output, last->priority);
}

// --- the three walks in their order ---

PortGuard guard_of(const IngressContext& context) {
    const bool learns = context.refusal == Drop::stp_discarding &&
                        context.ingress.format().is_standard &&
                        context.shared.learns_alone(context.port);
    return {.refusal = context.refusal, .loop_guard = context.loop_guard, .learns = learns};
}

CsigStripping csig_stripping(const IngressContext& context) {
    return {context.csig, context.port, context.mirrors, context.open, context.released};
}

// Runs the walks that follow `examine`.
template <Layout layout, bool traced>
void process(IngressContext& context, std::span<Frame> burst, Verdicts& verdicts, bool arrivals) {
    forward_burst<layout, traced>(context, burst, verdicts);
    if (context.csig.stripping() != 0) [[unlikely]]
        strip_csig_tags(csig_stripping(context), burst, verdicts);
    if (context.latency.is_on()) context.latency.choose(burst, verdicts.outputs, context.now);
    queue_burst<traced>(context, burst, verdicts, arrivals);
    if (FlowSampling* const sampling = context.observers.sampling) [[unlikely]]
        sampling->finish(context.input, burst, verdicts.drop, verdicts.outputs);
}

template <Layout layout>
void walk(IngressContext& context, std::span<Frame> burst, bool arrivals) {
    Verdicts verdicts;
    examine_burst<layout>(context, burst, verdicts);
    if (context.csig.is_on()) [[unlikely]]
        look_behind_csig(context.ingress, context.csig, burst, verdicts);
    if (context.credit != nullptr) [[unlikely]]
        count_credit(*context.credit, burst, verdicts, context.now);
    if (context.observed) [[unlikely]] {
        capture(context.observers, context.ingress, context.input, burst, verdicts, context.now);
        context.observed = context.observers.any();
    }
    if (context.refusal != Drop::none || context.loop_guard != 0) [[unlikely]]
        guard_port(guard_of(context), context.control, context.forwarding, burst, verdicts,
                   context.now);
    if (context.suppresses) [[unlikely]]
        suppress_questions(context.ingress.settings(), context.control, context.forwarding, burst,
                           verdicts, context.now);
    if (context.tracer != nullptr && choose_traced(*context.tracer, context.ingress, context.input,
                                                   burst, verdicts)) [[unlikely]] {
        process<layout, true>(context, burst, verdicts, arrivals);
        return context.tracer->end_burst();
    }
    process<layout, false>(context, burst, verdicts, arrivals);
}

}  // namespace

void run_ingress_pipeline(IngressContext& context, std::span<Frame> burst, bool arrivals) {
    const Format& format = context.ingress.format();
    if (format.is_standard) [[likely]] {
        walk<Layout::standard>(context, burst, arrivals);
    } else if (format.ids) {
        walk<Layout::ids>(context, burst, arrivals);
    } else {
        walk<Layout::addresses>(context, burst, arrivals);
    }
}

}  // namespace sluice
