// Intake: one burst on its way in: parse, classify, forward, admit, frame by frame, with what is
// the same for all of them looked up once; so is whether the port's format is standard Ethernet,
// or another that is described, with addresses of 48 bits or ids of 16. For switch.cc alone.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/switch.h"

namespace sluice {

class Switch::Intake {
  public:
    enum class Layout : uint8_t { standard, addresses, ids };

    Intake(Switch& self, PortIndex input, Nanos now, Released& released)
        : input_(input),
          ingress_(*self.ingress_[input]),
          port_(ingress_.port()),
          worker_(self.worker_of_[input]),
          links_(self.links()),
          reachable_(self.forwarding_.reachable(worker_, port_, links_)),
          storms_(self.storms()),
          now_(now),
          storm_control_(ingress_.storm_control()),
          egress_(self.egress_),
          counters_(*self.counters_[input]),
          self_(self),
          forwarding_(self.forwarding_),
          aggregations_(forwarding_.aggregations(worker_)),
          mirrors_(forwarding_.mirrors(worker_)),
          longest_frames_(forwarding_.longest_frames(worker_)),
          bridge_port_(aggregations_.bridge_port(port_)),
          crossbar_(self.crossbar_),
          tagging_(self.forwarding_.edits_tags(worker_) && ingress_.format().layout.ether_type),
          groups_(self.forwarding_.multicast().in_use(worker_)),
          straight_(detours() ? Bytes(0) : longest_frames_.any_port_sends()),
          open_(open_outputs()),
          released_(released) {}

    // Three walks over the burst, each a function of its own: the processor's registers are just
    // enough for one. And what a walk asks of memory is there when the next one needs it.
    template <Layout layout>
    void take(std::span<Frame> burst) {
        Passage passage;
        examine<layout>(burst, passage);
        forward<layout>(burst, passage);
        queue(burst, passage);
    }

  private:
    // What is known of each frame of a burst.
    struct Passage {
        std::array<Drop, max_burst> verdict;
        std::array<Forwarding::Probes, max_burst> probes;  // of those that may go on
        std::array<PortSet, max_burst> outputs;            // empty of those that may not
    };

    template <Layout layout>
    [[gnu::flatten, gnu::noinline]] void examine(std::span<Frame> burst, Passage& passage) {
        Forwarding::Probes before{};
        uint64_t bytes = 0;
        for (std::size_t n = 0; n < burst.size(); ++n) {
            bytes += burst[n].length;
            Headers headers;
            const Drop why = layout == Layout::standard ? examine(burst[n], headers)
                                                        : examine_described(burst[n], headers);
            passage.verdict[n] = why;
            if (why != Drop::none) continue;
            before = passage.probes[n] = prepare<layout>(burst[n], headers, before);
        }
        counters_.rx_frames.add(burst.size());
        counters_.rx_bytes.add(bytes);
        most_charged_ = Bytes(static_cast<int64_t>(bytes)) + ingress_.most_added(burst.size());
    }
    template <Layout layout>
    [[gnu::flatten, gnu::noinline]] void forward(std::span<Frame> burst, Passage& passage) {
        const uint32_t epoch = Fdb::epoch_of(now_);
        Drop of_source = Drop::none;
        for (std::size_t n = 0; n < burst.size(); ++n) {
            Frame& frame = burst[n];
            const Forwarding::Probes& probes = passage.probes[n];
            PortSet outputs = 0;
            Drop why = passage.verdict[n];
            if (why == Drop::none) {
                if (!probes.same_source) of_source = accept<layout>(frame, probes.source, epoch);
                why = of_source;
            }
            if (why == Drop::none) {
                why = frame.size() > straight_ ? detour<layout>(frame, probes, outputs)
                                               : route<layout>(frame, probes.destination, outputs);
            }
            if (why == Drop::none) {
                prefetch({first_of(outputs), frame.priority});
            } else {
                outputs = 0;
                counters_.drops.count(why);
                released_.free(frame.handle);
            }
            passage.outputs[n] = outputs;
        }
    }
    [[gnu::flatten, gnu::noinline]] void queue(std::span<Frame> burst, const Passage& passage) {
        const bool weighs = crossbar_.weighs();
        std::optional<Grant> last;  // that took a VOQ
        for (std::size_t n = 0; n < burst.size(); ++n) {
            if (passage.outputs[n] == 0) continue;
            enqueue(burst[n], passage.outputs[n]);
            if (!weighs) [[likely]]
                continue;
            const Grant path{first_of(passage.outputs[n]), burst[n].priority};
            const Ingress& ingress = ingress_;
            if (!ingress.voq(path.output, path.priority).empty()) last = path;
        }
        if (last) crossbar_.arrived(worker_, input_, last->output, last->priority);
        if (bypassed_to_ != 0) offer_what_is_left();
    }

    // Parse, classify, and what can be told from the headers alone.
    Drop examine(Frame& frame, Headers& headers) {
        const std::span<const uint8_t> octets(frame.data, frame.length);
        const PortSettings& settings = ingress_.settings();
        if (const Drop why = parse(octets, headers); why != Drop::none) return why;
        if (frame.size() > settings.max_frame) return Drop::oversize;
        if (headers.ether_type == mac_control_ether_type) return hear(octets);
        if (headers.destination.is_reserved()) {
            return hear_reserved(octets, headers);
        }
        if (settings.tagging.aware) [[unlikely]] {
            if (const Drop why = take_tag(frame, headers); why != Drop::none) return why;
        }
        describe(frame, headers);
        return Drop::none;
    }
    // Control is control in any format; what else is in the first twelve octets the format says.
    Drop examine_described(Frame& frame, Headers& headers) {
        const std::span<const uint8_t> octets(frame.data, frame.length);
        if (frame.size() > ingress_.settings().max_frame) return Drop::oversize;
        const Control control = control_of(octets);
        if (control == Control::mac_control) return hear(octets);
        if (control == Control::lldp) return hear_lldp(octets);
        const Format& format = ingress_.format();
        if (const Drop why = parse(format, octets, headers); why != Drop::none) return why;
        if (!format.short_ids && headers.destination.is_reserved()) return Drop::reserved_address;
        if (ingress_.settings().tagging.aware && format.layout.ether_type) [[unlikely]] {
            if (const Drop why = take_tag(frame, headers); why != Drop::none) return why;
        }
        describe(frame, headers);
        return Drop::none;
    }
    // What the frame keeps of its headers. Until its outputs are known it is the bridge port's.
    void describe(Frame& frame, const Headers& headers) {
        frame.input = bridge_port_;
        frame.vlan = headers.vlan != 0 ? headers.vlan : ingress_.settings().default_vlan;
        frame.network_offset = headers.network_offset;
        frame.priority = ingress_.classify(headers, {frame.data, frame.length});
    }

    template <Layout layout>
    Forwarding::Probes prepare(const Frame& frame, const Headers& headers,
                               const Forwarding::Probes& before) const {
        if constexpr (layout == Layout::standard) {
            return forwarding_.prepare(Family::ethernet, true, frame, headers, before);
        }
        const FrameFormat& format = ingress_.format().layout;
        return forwarding_.prepare<where(layout)>(format.family, format.learns, frame, headers,
                                                  before);
    }
    template <Layout layout>
    Drop accept(const Frame& frame, const Fdb::Probe& source, uint32_t epoch) {
        const bool learns = layout == Layout::standard || ingress_.format().layout.learns;
        if (!learns) return forwarding_.enter(worker_, frame);
        return forwarding_.accept<where(layout)>(worker_, frame, source, epoch);
    }
    template <Layout layout>
    Drop route(const Frame& frame, const Fdb::Probe& destination, PortSet& outputs) const {
        return forwarding_.route<where(layout)>(worker_, frame, destination, reachable_, outputs);
    }
    static constexpr Fdb::Where where(Layout layout) {
        return layout == Layout::ids ? Fdb::Where::either : Fdb::Where::hashed;
    }

    // Whether all frames take the detour.
    [[nodiscard]] bool detours() const {
        return storm_control_.limits() || aggregations_.any() || mirrors_.any() || groups_ ||
               forwarding_.refuses_unknown(worker_) || ingress_.settings().defended != 0;
    }
    // The way of a frame where more is set than most switches have, or that is too long for some
    // output.
    template <Layout layout>
    [[gnu::noinline]] Drop detour(Frame& frame, const Forwarding::Probes& probes,
                                  PortSet& outputs) {
        const bool is_defended =
            (ingress_.settings().defended & only_priority(frame.priority)) != 0;
        Drop why = is_defended ? Drop::defended : route<layout>(frame, probes.destination, outputs);
        const bool refused = why == Drop::none && forwarding_.refuses_unknown(worker_) &&
                             forwarding_.refuses(worker_, frame, probes.destination);
        if (refused) why = Drop::unknown_unicast;
        if (why == Drop::none && storm_control_.limits()) why = calm(frame, probes.destination);
        if (groups_ && Fdb::address_of(probes.destination.key).is_group()) {
            why = to_listeners(frame, probes.destination, why, outputs);
        }
        frame.input = port_;
        if (why != Drop::none) return why;
        if (aggregations_.any()) outputs = distribute(frame, probes, outputs);
        if (frame.size() > longest_frames_.any_port_sends()) why = fit(frame, outputs);
        return why;
    }
    // Reports are heard where they can go nowhere as well.
    [[gnu::noinline]] Drop to_listeners(const Frame& frame, const Fdb::Probe& destination, Drop why,
                                        PortSet& outputs) {
        if (why != Drop::none && why != Drop::no_output) return why;
        const Drop of_group =
            forwarding_.multicast().narrow(worker_, frame, destination.key, now_, outputs);
        return why == Drop::none ? of_group : why;
    }
    // Leaves those outputs that send frames as long as this one will be.
    [[gnu::noinline]] Drop fit(const Frame& frame, PortSet& outputs) {
        const PortSet all = outputs;
        for_each_port(all, [&](PortIndex output) {
            if (!longest_frames_.fits(size_at(frame, output), output)) outputs &= ~only(output);
        });
        const int none_left = outputs == 0 ? 1 : 0;  // then the frame itself is counted as well
        const auto refused = static_cast<uint64_t>(std::popcount(all ^ outputs) - none_left);
        counters_.copied.add(refused);
        counters_.drops.count(Drop::mtu_exceeded, refused);
        return outputs == 0 ? Drop::mtu_exceeded : Drop::none;
    }
    [[nodiscard]] Bytes size_at(const Frame& frame, PortIndex output) const {
        if (!tagging_) return frame.size();
        const TagEdit edit = forwarding_.tag_edit(worker_, frame, came_with(frame), output);
        return frame.size() + Bytes(octets_added(edit));
    }
    // Of each aggregation one member sends.
    [[gnu::noinline]] PortSet distribute(const Frame& frame, const Forwarding::Probes& probes,
                                         PortSet outputs) const {
        return aggregations_.senders(outputs, links_, [&](DistributionHash by) {
            return forwarding_.flow_of(by, frame, probes);
        });
    }
    // What is flooded, or goes to a group, is let in at a rate.
    [[gnu::noinline]] Drop calm(const Frame& frame, const Fdb::Probe& destination) {
        const MacAddress to = Fdb::address_of(destination.key);
        if (to == broadcast_address) {
            return storm_control_.admit(StormKind::broadcast, frame.size(), now_);
        }
        if (to.is_group()) return storm_control_.admit(StormKind::multicast, frame.size(), now_);
        if (forwarding_.fdb().find_either(destination)) return Drop::none;
        return storm_control_.admit(StormKind::unknown_unicast, frame.size(), now_);
    }
    // Of a tag that is not of the port's type only the priority counts.
    [[gnu::noinline]] Drop take_tag(const Frame& frame, Headers& headers) const {
        const TaggingSettings& tagging = ingress_.settings().tagging;
        if (!came_with(frame).tagged) headers.vlan = 0;
        const FrameTypes type = headers.vlan != 0 ? FrameTypes::tagged : FrameTypes::untagged;
        if (tagging.accept == FrameTypes::all || tagging.accept == type) return Drop::none;
        return type == FrameTypes::tagged ? Drop::tag_refused : Drop::tag_required;
    }
    // A frame with a tag has four octets behind its EtherType, or it did not get this far.
    [[nodiscard]] TagForm came_with(const Frame& frame) const {
        const TaggingSettings& tagging = ingress_.settings().tagging;
        const uint16_t ether_type = read_16(frame.data + tag_offset);
        TagForm form;
        for (const TagType type : {TagType::customer, TagType::service}) {
            if (ether_type != ether_type_of(type)) continue;
            if (tagging.aware && tagging.type != type) continue;
            const bool names_vlan = (read_16(frame.data + tag_offset + 2) & 0x0FFF) != 0;
            form = {.tagged = true, .type = type, .names_vlan = names_vlan};
        }
        return form;
    }
    [[gnu::noinline]] void plan_tag(Frame& frame, PortIndex output) const {
        plan(frame, forwarding_.tag_edit(worker_, frame, came_with(frame), output));
    }

    // MAC control ends at the port that heard it.
    [[gnu::noinline]] Drop hear(std::span<const uint8_t> octets) {
        if constexpr (!with_pfc) return Drop::pause_opcode;
        if (ingress_.settings().flow_control == FlowControl::none) return Drop::pause_opcode;
        const PfcSettings& pfc = ingress_.settings().pfc;
        PauseFrame pause;
        const Drop why = read_pause_frame(octets, {pfc.peer, pfc.link_pause}, pause);
        if (why != Drop::none) return why;
        const bool listens =
            is_further_lane()
                ? lane_mail().pauses.post(octets.first(std::min(octets.size(), pause_frame_octets)))
                : egress_[port_]->gate().hear(pause, now_, self_.tended(worker_));
        return listens ? Drop::mac_control : Drop::pause_limit;
    }
    [[gnu::noinline]] Drop hear_lldp(std::span<const uint8_t> octets) {
        if (!is_further_lane()) return self_.mail_[port_]->hear(octets, now_);
        return lane_mail().lldp.post(octets) ? Drop::lldp : Drop::lldp_limit;
    }
    // Gate and mail are the port's worker's.
    [[nodiscard]] bool is_further_lane() const { return input_ != port_; }
    LaneMail& lane_mail() { return *self_.from_lanes_[input_ - self_.port_count()]; }

    // LLDP is of the port, not of a VLAN: a tag of VLAN 0 is none (802.1Q 6.9.1).
    [[gnu::noinline]] Drop hear_reserved(std::span<const uint8_t> octets, const Headers& headers) {
        const bool lldp = headers.destination == lldp_address &&
                          headers.ether_type == lldp_ether_type && headers.vlan == 0;
        return lldp ? hear_lldp(octets) : Drop::reserved_address;
    }

    Drop admit(const Frame& frame, PortIndex output) {
        const bool may_storm = with_pfc && (storms_ & only(output)) != 0;
        if (may_storm && discards(frame, output)) [[unlikely]]
            return Drop::pfc_storm;
        if (bypasses(frame, output)) return Drop::none;
        return ingress_.admit(frame, output);
    }
    [[gnu::noinline]] bool discards(const Frame& frame, PortIndex output) {
        if ((egress_[output]->discarding() & only_priority(frame.priority)) == 0) return false;
        ingress_.count_stormed({output, frame.priority}, 1);
        return true;
    }

    // Of this worker, with link, and nobody waits for them. Where little is enough for a congestion
    // mark, that is the crossbar's to set.
    [[nodiscard]] PortSet open_outputs() const {
        const Desk& desk = self_.desks_[worker_];
        if (!desk.bypass) return 0;
        return desk.ports & links_ & ~crossbar_.requested(worker_) & ~desk.waited_for &
               ~desk.marker.marks_when_shallow();
    }
    void prefetch(Grant path) const {
        if ((open_ & only(path.output)) != 0) {
            std::as_const(*egress_[path.output]).prefetch(path.priority);
        } else {
            ingress_.prefetch(path);
        }
    }
    // Puts the frame into its egress queue, unless somebody stands in front of it or room is short:
    // then whatever else comes for the output stands behind it.
    bool bypasses(const Frame& frame, PortIndex output) {
        if ((open_ & only(output)) == 0) return false;
        if (is_admissible(frame.priority) && egress_[output]->push_bypassing(frame)) {
            bypassed_to_ |= only(output);
            ingress_.count_bypassed({output, frame.priority});
            return true;
        }
        open_ &= ~only(output);
        return false;
    }
    // Whether the burst would be let in whole, if all of it waited here.
    bool is_admissible(Priority priority) {
        const PrioritySet bit = only_priority(priority);
        if ((judged_ & bit) == 0) {
            judged_ |= bit;
            if (ingress_.would_admit(most_charged_, priority)) admissible_ |= bit;
        }
        return (admissible_ & bit) != 0;
    }
    void offer_what_is_left() {
        self_.desks_[worker_].active |= bypassed_to_;
        for_each_port(bypassed_to_, [&](PortIndex output) {
            crossbar_.offer(worker_, output, egress_[output]->room());
        });
    }

    // One copy an output, all of the same buffer. What goes to one output and to mirrors is still
    // its own there: marks and priorities are written to it.
    void enqueue(Frame& frame, PortSet outputs) {
        const PortSet copies_to = mirrors_.any() ? mirrors_.copies(port_, outputs) & links_ : 0;
        if (std::has_single_bit(outputs | copies_to)) {
            if (tagging_) [[unlikely]]
                plan_tag(frame, first_of(outputs));
            const Drop why = admit(frame, first_of(outputs));
            if (why == Drop::none) return;
            counters_.drops.count(why);
            released_.free(frame.handle);
        } else {
            flood(frame, outputs & ~copies_to, copies_to);
        }
    }
    [[gnu::noinline]] void flood(Frame frame, PortSet own, PortSet copies_to) {
        Frame as_it_came = frame;
        as_it_came.network_offset = shared_octets;
        if (!std::has_single_bit(own)) frame = as_it_came;
        PortSet queued = 0;
        for_each_port(own, [&](PortIndex output) {
            Frame copy = frame;
            if (tagging_) plan_tag(copy, output);
            if (is_queued(admit(copy, output))) queued |= only(output);
        });
        const PortSet copies = copies_to & mirrors_.copies(port_, queued);
        for_each_port(copies, [&](PortIndex output) {
            const bool fits = longest_frames_.fits(as_it_came.size(), output);
            const Drop why = fits ? admit(as_it_came, output) : Drop::mtu_exceeded;
            if (is_queued(why)) queued |= only(output);
        });
        counters_.copied.add(static_cast<uint64_t>(std::popcount(own | copies) - 1));
        const int references = std::popcount(queued);
        if (references == 0) released_.free(frame.handle);
        if (references > 1) released_.share(frame.handle, static_cast<uint16_t>(references - 1));
    }
    bool is_queued(Drop why) {
        if (why != Drop::none) counters_.drops.count(why);
        return why == Drop::none;
    }

    PortIndex input_;
    Ingress& ingress_;
    PortIndex port_;  // of which the input is a lane
    WorkerIndex worker_;
    PortSet links_;
    PortSet reachable_;  // bridge ports
    PortSet storms_;
    Nanos now_;
    StormControl& storm_control_;
    const std::vector<std::unique_ptr<Egress>>& egress_;
    PortCounters& counters_;
    Switch& self_;
    Forwarding& forwarding_;
    const Aggregations& aggregations_;
    const Mirrors& mirrors_;
    const LongestFrames& longest_frames_;
    PortIndex bridge_port_;
    Crossbar& crossbar_;
    bool tagging_;
    bool groups_;     // are known, or reports of them heard
    Bytes straight_;  // a frame that is longer takes the detour
    PortSet open_;             // outputs for which nobody waits in a VOQ
    PortSet bypassed_to_ = 0;  // outputs
    Bytes most_charged_;       // to the burst, if all of it takes VOQs
    PrioritySet judged_ = 0;
    PrioritySet admissible_ = 0;  // of those
    Released& released_;
};

}  // namespace sluice
