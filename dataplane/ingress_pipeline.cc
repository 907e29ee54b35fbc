#include "dataplane/ingress_pipeline.h"

#include <bit>
#include <optional>
#include <utility>

#include "dataplane/credits/credit_update.h"
#include "dataplane/ingress/examine.h"
#include "dataplane/ingress/loop_probe.h"

namespace sluice {
namespace {

// Ids of 16 bits may be in the direct table.
template <bool ids>
constexpr Fdb::Where where = ids ? Fdb::Where::either : Fdb::Where::hashed;

}  // namespace

IngressPipeline::IngressPipeline(const Context& context, Bypass& bypass)
    : input_(context.input),
      ingress_(context.ingress),
      port_(context.ingress.port()),
      counters_(context.counters),
      forwarding_(context.forwarding),
      aggregations_(forwarding_.aggregations()),
      mirrors_(forwarding_.mirrors()),
      crossbar_(context.crossbar),
      bypass_(bypass),
      aqm_(context.aqm),
      shared_(context.shared),
      refusal_(shared_.refusal(port_)),
      loop_guard_(shared_.loop_guard.load(std::memory_order_relaxed)),
      suppresses_(forwarding_.suppresses(port_) && ingress_.format().is_standard &&
                  input_ == InputIndex(port_)),
      open_(context.outputs),
      reachable_(forwarding_.reachable(port_, open_)),
      discarding_(context.discarding),
      now_(context.now),
      latency_(context.latency),
      bridge_port_(aggregations_.bridge_port(port_)),
      edits_tags_(forwarding_.edits_tags() && ingress_.format().layout.ether_type),
      groups_(forwarding_.multicast().in_use()),
      longest_on_fast_path_(all_take_the_slow_path() ? Bytes(0)
                                                     : forwarding_.mtus().any_port_sends()),
      control_(context.control),
      released_(context.released),
      capture_points_(context.capture_points),
      sampling_(context.sampling),
      observed_(capture_points_ != nullptr || sampling_ != nullptr),
      tracer_(context.tracer),
      credit_(context.credit) {}

void IngressPipeline::run(std::span<Frame> burst, bool arrivals) {
    const Format& format = ingress_.format();
    if (format.is_standard) [[likely]] {
        walk<Layout::standard>(burst, arrivals);
    } else if (format.short_ids) {
        walk<Layout::ids>(burst, arrivals);
    } else {
        walk<Layout::addresses>(burst, arrivals);
    }
}

template <IngressPipeline::Layout layout>
void IngressPipeline::walk(std::span<Frame> burst, bool arrivals) {
    Verdicts verdicts;
    examine<layout>(burst, verdicts);
    if (credit_ != nullptr) [[unlikely]]
        count_credit(burst, verdicts);
    if (observed_) [[unlikely]]
        capture(burst, verdicts);
    if (refusal_ != Drop::none || loop_guard_ != 0) [[unlikely]]
        guard(burst, verdicts);
    if (suppresses_) [[unlikely]]
        suppress(burst, verdicts);
    if (tracer_ != nullptr && choose_traced(burst, verdicts)) [[unlikely]] {
        process<layout, true>(burst, verdicts, arrivals);
        return tracer_->end_burst();
    }
    process<layout, false>(burst, verdicts, arrivals);
}

template <IngressPipeline::Layout layout, bool traced>
void IngressPipeline::process(std::span<Frame> burst, Verdicts& verdicts, bool arrivals) {
    forward<layout, traced>(burst, verdicts);
    if (latency_.is_on()) latency_.choose(burst, verdicts.outputs, now_);
    queue<traced>(burst, verdicts, arrivals);
    if (sampling_ != nullptr) [[unlikely]]
        sampling_->finish(input_, burst, verdicts.drop, verdicts.outputs);
}

// --- examine ---

template <IngressPipeline::Layout layout>
[[gnu::flatten, gnu::noinline]] void IngressPipeline::examine(std::span<Frame> burst,
                                                              Verdicts& verdicts) {
    Probes before{};
    uint64_t bytes = 0;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        bytes += burst[n].length;
        Headers headers;
        const Drop why = sluice::examine<layout == Layout::standard>(
            burst[n], headers, ingress_.settings(), ingress_.format(), control_);
        verdicts.drop[n] = why;
        if (why != Drop::none) continue;
        note_headers(burst[n], headers);
        before = verdicts.probes[n] = prepare<layout>(burst[n], headers, before);
    }
    counters_.rx_frames.add(burst.size());
    counters_.rx_bytes.add(bytes);
    bypass_.expect(Bytes(static_cast<int64_t>(bytes)) + ingress_.most_added(burst.size()));
}

// What the frame keeps of its headers. Until its outputs are known it is the bridge port's.
void IngressPipeline::note_headers(Frame& frame, const Headers& headers) {
    frame.set_input(bridge_port_);
    frame.latency_mark = 0;
    frame.vlan = headers.vlan != 0 ? headers.vlan : ingress_.settings().default_vlan;
    frame.network_offset = headers.network_offset;
    frame.priority = ingress_.classify(headers, {frame.data, frame.length});
}

// In the order in which they came: an update says what was sent before it. What is wrong in its
// headers has no priority; its credit comes back with that of what is lost on the way, and so does
// that of another's probes of the loop guard, as the peer sends its own without.
[[gnu::noinline]] void IngressPipeline::count_credit(std::span<const Frame> burst,
                                                     Verdicts& verdicts) {
    CreditEnd& end = credit_->end;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        Drop& why = verdicts.drop[n];
        if (why == Drop::reserved_address) {
            const auto update = read_credit_update(octets);
            if (!update) continue;
            why = Drop::credit_update;
            credit_->watch.received(end.receive(*update, read_address(&octets[6]), now_));
        } else if (why == Drop::none && end.counts() && !read_loop_probe(octets)) {
            end.receiver().came(burst[n].priority, end.receiver().terms().cost(burst[n].size()));
        }
    }
}

// Takes out probes that came back, and refuses the rest, where nothing but control is taken.
[[gnu::noinline]] void IngressPipeline::guard(std::span<const Frame> burst, Verdicts& verdicts) {
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Drop& why = verdicts.drop[n];
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        if (loop_guard_ != 0 && may_be_probe(why, refusal_) && is_probe_of(loop_guard_, octets)) {
            why = control_.take(ControlProtocol::loop_probe, octets);
        } else if (why == Drop::none) {
            why = refusal_;
        }
    }
}

template <IngressPipeline::Layout layout>
IngressPipeline::Probes IngressPipeline::prepare(const Frame& frame, const Headers& headers,
                                                 const Probes& before) const {
    if constexpr (layout == Layout::standard) {
        return forwarding_.prepare(FormatFamily::ethernet, true, frame, headers, before);
    }
    const FrameFormat& format = ingress_.format().layout;
    return forwarding_.prepare<where<layout == Layout::ids>>(format.family, format.learns, frame,
                                                             headers, before);
}

// --- forward ---

template <IngressPipeline::Layout layout>
Drop IngressPipeline::accept(const Frame& frame, const Fdb::Probe& source, uint32_t epoch) {
    const bool learns = layout == Layout::standard || ingress_.format().layout.learns;
    if (!learns) return forwarding_.enter(frame);
    return forwarding_.accept<where<layout == Layout::ids>>(frame, source, epoch);
}

template <IngressPipeline::Layout layout>
Drop IngressPipeline::route(const Frame& frame, const Fdb::Probe& destination,
                            PortSet& outputs) const {
    return forwarding_.route<where<layout == Layout::ids>>(frame, destination, reachable_, outputs);
}

template <IngressPipeline::Layout layout, bool traced>
[[gnu::flatten, gnu::noinline]] void IngressPipeline::forward(std::span<Frame> burst,
                                                              Verdicts& verdicts) {
    const uint32_t epoch = Fdb::epoch_of(now_);
    Drop of_source = Drop::none;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Frame& frame = burst[n];
        const Probes& probes = verdicts.probes[n];
        PortSet outputs = 0;
        Drop why = verdicts.drop[n];
        if constexpr (traced) {
            if (tracer_->select(n) && why == Drop::none) {
                tracer_->looked_up(forwarding_.known(probes.source),
                                   forwarding_.known(probes.destination),
                                   forwarding_.enter(frame) == Drop::none);
            }
        }
        if (why == Drop::none) {
            if (!probes.same_source) of_source = accept<layout>(frame, probes.source, epoch);
            why = of_source;
        }
        if (why == Drop::none) {
            why = frame.size() > longest_on_fast_path_
                      ? take_the_slow_path<layout>(frame, probes, outputs)
                      : route<layout>(frame, probes.destination, outputs);
        }
        if (why == Drop::none) {
            bypass_.prefetch({first_of(outputs), frame.priority});
        } else {
            outputs = 0;
            counters_.drops.count(why);
            if (observed_) [[unlikely]]
                capture_drop(frame, verdicts.drop[n], why);
            released_.free(frame.handle);
        }
        verdicts.outputs[n] = outputs;
        if constexpr (traced) {
            if (tracer_->select(n)) tracer_->forwarded(why, outputs);
        }
    }
}

bool IngressPipeline::all_take_the_slow_path() const {
    return ingress_.storm_control().limits() || aggregations_.any() || mirrors_.any() || groups_ ||
           forwarding_.refuses_unknown() || ingress_.settings().dcbx_defence != 0;
}

template <IngressPipeline::Layout layout>
[[gnu::noinline]] Drop IngressPipeline::take_the_slow_path(Frame& frame, const Probes& probes,
                                                           PortSet& outputs) {
    const Fdb::Probe& destination = probes.destination;
    const bool is_kept_out =
        (ingress_.settings().dcbx_defence & only_priority(frame.priority)) != 0;
    Drop why = is_kept_out ? Drop::dcbx_defence : route<layout>(frame, destination, outputs);
    if (why == Drop::none && forwarding_.refuses_unknown() &&
        forwarding_.refuses(frame, destination)) {
        why = Drop::unknown_unicast;
    }
    if (why == Drop::none && ingress_.storm_control().limits()) {
        const std::optional<StormControlKind> kind = forwarding_.storm_control_kind(destination);
        if (kind) why = ingress_.storm_control().admit(*kind, frame.size(), now_);
    }
    if (groups_ && Fdb::address_of(destination.key).is_group()) {
        why = forward_to_group(frame, destination, why, outputs);
    }
    frame.set_input(port_);
    if (why != Drop::none) return why;
    if (aggregations_.any()) {
        outputs = aggregations_.senders(outputs, open_, [&](DistributionHash by) {
            return forwarding_.flow_of(by, frame, probes);
        });
    }
    if (frame.size() <= forwarding_.mtus().any_port_sends()) return Drop::none;
    return leave_out_outputs_by_mtu(frame, outputs);
}

// A report counts even where no output is left for it.
[[gnu::noinline]] Drop IngressPipeline::forward_to_group(const Frame& frame,
                                                         const Fdb::Probe& destination, Drop why,
                                                         PortSet& outputs) {
    if (why != Drop::none && why != Drop::no_output) return why;
    const Drop of_group = forwarding_.multicast().filter(frame, destination.key, now_, outputs);
    return why == Drop::none ? of_group : why;
}

[[gnu::noinline]] Drop IngressPipeline::leave_out_outputs_by_mtu(const Frame& frame,
                                                                 PortSet& outputs) {
    const TagForm came = form_of_tag(frame, ingress_.settings().tagging);
    const PortSet fitting =
        forwarding_.outputs_within_mtu(frame, edits_tags_ ? &came : nullptr, outputs);
    const int none_left = fitting == 0 ? 1 : 0;  // then the frame itself is counted as well
    const auto refused = static_cast<uint64_t>(std::popcount(outputs & ~fitting) - none_left);
    counters_.copied.add(refused);
    counters_.drops.count(Drop::mtu_exceeded, refused);
    if (observed_) [[unlikely]] {
        for_each_port(fitting == 0 ? outputs & (outputs - 1) : outputs & ~fitting,
                      [&](PortIndex output) { capture_drop(frame, output, Drop::mtu_exceeded); });
    }
    if (tracer_ != nullptr) tracer_->too_long(outputs & ~fitting);
    outputs = fitting;
    return fitting == 0 ? Drop::mtu_exceeded : Drop::none;
}

// --- queue ---

template <bool traced>
[[gnu::flatten, gnu::noinline]] void IngressPipeline::queue(std::span<Frame> burst,
                                                            const Verdicts& verdicts,
                                                            bool arrivals) {
    std::optional<QueueKey> last;  // that took a VOQ
    for (std::size_t n = 0; n < burst.size(); ++n) {
        if (verdicts.outputs[n] == 0) continue;
        const bool is_traced = traced && tracer_->select(n);
        is_traced ? enqueue<true>(burst[n], verdicts.outputs[n])
                  : enqueue<false>(burst[n], verdicts.outputs[n]);
        if (!arrivals) [[likely]]
            continue;
        const QueueKey path{first_of(verdicts.outputs[n]), burst[n].priority};
        if (!std::as_const(ingress_).voq(path.output, path.priority).empty()) last = path;
    }
    if (last) crossbar_.arrived(input_, last->output, last->priority);
}

// What goes to one output and to mirrors is still its own there: marks and priorities are written
// to it.
template <bool traced>
void IngressPipeline::enqueue(Frame& frame, PortSet outputs) {
    const PortSet mirrored_to = mirrors_.any() ? mirrors_.copies(port_, outputs) & open_ : 0;
    if (!std::has_single_bit(outputs | mirrored_to)) {
        return enqueue_copies<traced>(frame, outputs & ~mirrored_to, mirrored_to);
    }
    if (edits_tags_) [[unlikely]]
        plan_tag(frame, first_of(outputs));
    if (queue_or_drop<traced>(frame, first_of(outputs))) return;
    latency_.forget(frame);
    released_.free(frame.handle);
}

// All of the same buffer, of which no more than one is timed: that which goes where the frame does.
template <bool traced>
[[gnu::noinline]] void IngressPipeline::enqueue_copies(Frame frame, PortSet own,
                                                       PortSet mirrored_to) {
    if (edits_tags_) {  // it may leave in another buffer
        latency_.forget(frame);
        frame.latency_mark = 0;
    }
    Frame as_it_came = frame;
    as_it_came.network_offset = shared_octets;
    as_it_came.latency_mark = 0;
    if (!std::has_single_bit(own)) frame = as_it_came;
    PortSet queued = 0;
    for_each_port(own, [&](PortIndex output) {
        Frame copy = frame;
        if (edits_tags_) plan_tag(copy, output);
        if (queue_or_drop<traced>(copy, output)) queued |= only(output);
    });
    if (queued == 0) latency_.forget(frame);
    const PortSet copies = mirrored_to & mirrors_.copies(port_, queued);
    for_each_port(copies, [&](PortIndex output) {
        if (!forwarding_.mtus().fits(as_it_came.size(), output)) {
            if (traced) tracer_->too_long(only(output));
            return drop(as_it_came, output, Drop::mtu_exceeded);
        }
        if (queue_or_drop<traced>(as_it_came, output)) queued |= only(output);
    });
    counters_.copied.add(static_cast<uint64_t>(std::popcount(own | copies) - 1));
    const int references = std::popcount(queued);
    if (references == 0) released_.free(frame.handle);
    if (references > 1) released_.share(frame.handle, static_cast<uint16_t>(references - 1));
}

template <bool traced>
Drop IngressPipeline::admit(const Frame& frame, PortIndex output) {
    if constexpr (traced) return admit_traced(frame, output);
    if ((discarding_ & only(output)) != 0) [[unlikely]] {
        if (const Drop why = discard(frame, output); why != Drop::none) return why;
    }
    return bypass_.push(frame, output) ? Drop::none : ingress_.admit(frame, output);
}

// What a frame finds is looked at before, since to admit it changes that.
[[gnu::noinline]] Drop IngressPipeline::admit_traced(const Frame& frame, PortIndex output) {
    const QueueKey path{output, frame.priority};
    const Admission found = ingress_.admission(path);
    const uint64_t ahead = shared_.egress[output]->queue(frame.priority).waiting();
    const uint64_t bypassed = ingress_.bypassed(path);
    const Drop why = admit<false>(frame, output);
    TraceWay way = why == Drop::none ? TraceWay::queued : TraceWay::refused;
    if (ingress_.bypassed(path) != bypassed) {
        way = bypass_.hands_over_to(output) ? TraceWay::handed_over : TraceWay::bypassed;
    }
    tracer_->admitted(frame, {.output = output,
                              .way = way,
                              .why = why,
                              .found = found,
                              .ahead_in_egress = ahead,
                              .holds = {*shared_.egress[output], *shared_.credit[output]}});
    return why;
}

// What is lossless between two ports is never dropped early, whatever its curve says: DCBX may have
// made it so.
[[gnu::noinline]] Drop IngressPipeline::discard(const Frame& frame, PortIndex output) {
    const QueueKey path{output, frame.priority};
    if ((shared_.egress[output]->discarding() & only_priority(frame.priority)) != 0) {
        ingress_.count_watchdog_drops(path, 1);
        return Drop::pfc_storm;
    }
    if (!aqm_.may_drop(path) || Aqm::spares(frame)) return Drop::none;
    if (ingress_.lossless(frame.priority, output)) return Drop::none;
    if (!aqm_.drops(path, shared_.depth(path))) return Drop::none;
    ingress_.count_dropped(path);
    return Drop::wred;
}

[[gnu::noinline]] void IngressPipeline::plan_tag(Frame& frame, PortIndex output) const {
    const TagForm came = form_of_tag(frame, ingress_.settings().tagging);
    plan(frame, forwarding_.tag_edit(frame, came, output));
}

template <bool traced>
bool IngressPipeline::queue_or_drop(const Frame& frame, PortIndex output) {
    const Drop why = admit<traced>(frame, output);
    if (why != Drop::none) drop(frame, output, why);
    return why == Drop::none;
}

void IngressPipeline::drop(const Frame& frame, PortIndex output, Drop why) {
    counters_.drops.count(why);
    if (observed_) [[unlikely]]
        capture_drop(frame, output, why);
}

}  // namespace sluice
