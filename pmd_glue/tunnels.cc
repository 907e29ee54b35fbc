#include "pmd_glue/tunnels.h"

#include <rte_mbuf.h>
#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "dataplane/forward/hash.h"
#include "dataplane/types/tag.h"
#include "pmd_glue/packet/checksum_mark.h"

namespace sluice::pmd {

static_assert(most_outer_octets <= RTE_PKTMBUF_HEADROOM, "a copy has room for them");

namespace {

// Removes the tag; the addresses before it move up to fill the gap. Returns the tag.
uint32_t take_off_tag(uint8_t* frame) {
    const uint32_t tag = read_32(frame + tag_offset);
    std::memmove(frame + tag_octets, frame, tag_offset);
    return tag;
}
void put_back_tag(uint8_t* frame, uint32_t tag) {
    std::memmove(frame, frame + tag_octets, tag_offset);
    write_32(frame + tag_offset, tag);
}

}  // namespace

void Tunnels::Kept::add(const Frame& frame) {
    if (empty()) first = end = 0;
    assert(end < frames.size());
    frames[end++] = frame;
}

std::size_t Tunnels::Kept::take(std::span<Frame> burst) {
    const std::size_t count = std::min(burst.size(), end - first);
    std::copy_n(frames.begin() + static_cast<std::ptrdiff_t>(first), count, burst.begin());
    first += count;
    return count;
}

// Includes the underlays and tunnels of other workers too; this worker never polls them.
void Tunnels::use(const Ports& ports) {
    const PortSet before = this->ports();
    tunnels_ = underlays_ = to_many_ = 0;
    for (PortIndex port = 0; port < max_ports; ++port) {
        if (ports[port] != nullptr && ports[port]->underlay_end() != nullptr) {
            use_underlay(port, ports);
        }
    }
    for_each_port(before & ~this->ports(), [&](PortIndex port) {
        std::array<Frame, max_burst> frames;
        const std::size_t count = kept_[port]->take(frames);
        for (const Frame& frame : std::span(frames).first(count)) free(frame);
        const PortIndex under = underlay_of_[port];
        const bool is_there = (underlays_ & only(under)) != 0;
        if (ends_[port] != nullptr) {
            cut_off_flood(*ends_[port], is_there ? below_[under]->shared : nullptr);
        }
    });
}

void Tunnels::end_flood(End& end) {
    if (end.flooded.handle != nullptr) free(std::exchange(end.flooded, {}));
    end.flooded_in = nullptr;
    end.next_slot = 0;
}

// `below`: null if the underlay is removed as well, with its counters.
void Tunnels::cut_off_flood(End& end, UnderlayEnd* below) {
    if (end.flooded.handle != nullptr && below != nullptr) below->cut_off.add(1);
    end_flood(end);
}

void Tunnels::use_underlay(PortIndex port, const Ports& ports) {
    PortBursts& device = *ports[port];
    UnderlayEnd& shared = *device.underlay_end();
    if (below_[port] == nullptr) below_[port] = std::make_unique<Below>();
    if (kept_[port] == nullptr) kept_[port] = std::make_unique<Kept>();
    Below& below = *below_[port];
    const UnderlayAddresses& own = shared.addresses;
    below = {.port = &device,
             .shared = &shared,
             .decapsulator = Decapsulator(own),
             .place = port,
             .over = only(port),
             .places = {}};
    underlays_ |= only(port);
    underlay_of_[port] = port;
    for (PortIndex place = 0; place < max_ports; ++place) {
        TunnelEnd* const tunnel = ports[place] != nullptr ? ports[place]->tunnel_end() : nullptr;
        if (tunnel == nullptr || tunnel->about.underlay != port) continue;
        const Encapsulation& encapsulation = tunnel->about.encapsulation;
        if (ends_[place] == nullptr) ends_[place] = std::make_unique<End>();
        if (kept_[place] == nullptr) kept_[place] = std::make_unique<Kept>();
        const uint64_t seed = hash_of(own.mac.bits, place);
        End& end = *ends_[place];
        if (end.shared != tunnel) {  // otherwise a flood in progress continues
            cut_off_flood(end, &shared);
            end.ageing = 0;
        }
        end.below = &below;
        end.shared = tunnel;
        end.encapsulator = Encapsulator(encapsulation, own, tunnel->about.marks, seed);
        const Bundle* const bundle = tunnel->bundle.get();
        const bool is_by_vlan = bundle != nullptr && bundle->is_by_vlan();
        end.tag = is_by_vlan ? tag_octets : 0;
        end.only_network = bundle != nullptr && !is_by_vlan ? &(*bundle)[0] : nullptr;
        below.decapsulator.add(encapsulation, bundle);
        if (bundle != nullptr) to_many_ |= only(place);
        assert(below.count < below.places.size());
        below.places[below.count++] = place;
        below.over |= only(place);
        tunnels_ |= only(place);
        underlay_of_[place] = port;
    }
}

// Returns a packet without its tag, since control knows the port's VLAN. Overwrites the frame's
// first octets, so the frame must not be used afterwards.
std::span<const uint8_t> Tunnels::without_tag(const UnderlayEnd& below, const Frame& frame) {
    if (below.addresses.vlan == 0) return {frame.data, frame.length};
    uint8_t* const start = frame.data + outer_tag_octets;
    std::memmove(start, frame.data, outer_type);
    return {start, frame.length - outer_tag_octets};
}

// Copies the announcement for control; the frame itself is switched as usual. Frames longer than
// any announcement are not copied. While the mailbox is full, no frame is copied.
void Tunnels::post_announcement(UnderlayEnd& below, const Frame& frame) {
    std::array<uint8_t, 256> octets;
    if (frame.length > octets.size() || !below.announcements.has_room()) {
        below.dropped.add(1);
        return;
    }
    std::copy_n(frame.data, frame.length, octets.begin());
    below.receive_announcement(without_tag(below, {.data = octets.data(), .length = frame.length}));
}

std::size_t Tunnels::receive(PortIndex port, std::span<Frame> burst) {
    Kept& own = *kept_[port];
    if (!own.empty()) return own.take(burst);
    Below& below = *below_[underlay_of_[port]];
    std::size_t room = burst.size();
    for_each_port(below.over & ~only(port),
                  [&](PortIndex over) { room = std::min(room, kept_[over]->room()); });
    if (room == 0) return 0;
    const std::size_t count = below.port->receive(burst.first(room));
    return sort(below, port, burst.first(count));
}

bool Tunnels::keep_any() const {
    bool any = false;
    for_each_port(ports(), [&](PortIndex port) { any |= !kept_[port]->empty(); });
    return any;
}

// Puts frames for `port` at the front of the burst, and keeps the others for their ports. Returns
// how many are for `port`.
std::size_t Tunnels::sort(Below& below, PortIndex port, std::span<Frame> burst) {
    std::size_t stay = 0;
    uint64_t carried = 0;  // number of decapsulated frames for `port`
    // Frames that are in their place already are not copied: the copy would wait for data just
    // written.
    const auto hand_out = [&](PortIndex to, const Frame& frame) {
        if (to != port) {
            kept_[to]->add(frame);
        } else if (Frame& place = burst[stay++]; &place != &frame) {
            place = frame;
        }
    };
    for (Frame& frame : burst) {
        if (!pool_.own(frame)) [[unlikely]] {
            below.shared->no_buffer.add(1);
            free(frame);
            continue;
        }
        const Arrival arrival = below.decapsulator.look({frame.data, frame.length});
        switch (arrival.kind) {
            case ArrivalKind::carried: {
                assert(arrival.tunnel < below.count);
                const PortIndex tunnel = below.places[arrival.tunnel];
                unwrap(arrival, frame);
                if ((to_many_ & only(tunnel)) != 0) take_arrival(*ends_[tunnel], arrival, frame);
                if (tunnel == port) {
                    ++carried;
                } else {
                    ends_[tunnel]->shared->decapsulated.add(1);
                }
                hand_out(tunnel, frame);
                break;
            }
            case ArrivalKind::announcement:
                post_announcement(*below.shared, frame);
                hand_out(below.place, frame);
                break;
            case ArrivalKind::others:
                hand_out(below.place, frame);
                break;
            case ArrivalKind::neighbour:
                below.shared->receive(without_tag(*below.shared, frame));
                free(frame);
                break;
            case ArrivalKind::refused:
                below.shared->refuse(arrival.why);
                free(frame);
                break;
        }
    }
    if (carried > 0) ends_[port]->shared->decapsulated.add(carried);
    return stay;
}

void Tunnels::unwrap(const Arrival& arrival, Frame& frame) {
    assert(arrival.offset + arrival.length <= frame.length);
    auto& buffer = *static_cast<rte_mbuf*>(frame.handle);
    uint16_t length = arrival.length;
    uint8_t* const data = frame.data + arrival.offset;
    if (length < shortest_on_wire) {
        std::memset(data + length, 0, static_cast<std::size_t>(shortest_on_wire - length));
        length = shortest_on_wire;
    }
    buffer.data_off = static_cast<uint16_t>(buffer.data_off + arrival.offset);
    buffer.data_len = length;
    buffer.pkt_len = length;
    buffer.ol_flags &= ~packet::checksum_is_right;  // the flag described the outer frame
    frame.data = data;
    frame.length = length;
}

std::size_t Tunnels::transmit(PortIndex tunnel, std::span<const Frame> burst) {
    if ((to_many_ & only(tunnel)) != 0) return transmit_to_many(*ends_[tunnel], burst);
    End& end = *ends_[tunnel];
    end.was_refused = false;
    const MacAddress next_hop = end.shared->next_hop();
    if (next_hop.bits == 0) return 0;
    return send(end, burst, next_hop, {});
}

std::size_t Tunnels::send(End& end, std::span<const Frame> burst, MacAddress next_hop,
                          std::span<const VtepWay> ways) {
    const std::size_t octets = end.encapsulator.octets() - end.tag;
    assert(burst.size() <= max_burst);
    Wrapped wrapped;
    std::size_t ready = 0;
    bool copied = false;
    for (const Frame& frame : burst) {
        Frame& outer = wrapped.frames[ready];
        outer = frame;
        if (!pool_.put_in_front(outer, static_cast<uint16_t>(octets))) break;
        copied |= outer.handle != frame.handle;
        if (end.tag != 0) [[unlikely]]
            wrapped.tags[ready] = take_off_tag(outer.data + octets);
        ++ready;
    }
    const auto whole = std::span<const Frame>(wrapped.frames).first(ready);
    if (ways.empty()) [[likely]]
        end.encapsulator.write(whole, next_hop);
    else
        end.encapsulator.write_each(whole, ways);
    const std::size_t sent = end.below->port->transmit(whole);
    end.was_refused = sent < ready;
    if (copied || sent < ready) restore_unsent(end, burst.first(ready), wrapped, sent);
    end.shared->encapsulated.add(sent);
    return sent;
}

// For each copied frame, frees the buffer that is not sent: the original, or the copy if the device
// refused it. Removes the headers again from refused frames.
void Tunnels::restore_unsent(const End& end, std::span<const Frame> burst, const Wrapped& wrapped,
                             std::size_t sent) {
    const std::size_t octets = end.encapsulator.octets() - end.tag;
    for (std::size_t frame = 0; frame < burst.size(); ++frame) {
        const Frame& outer = wrapped.frames[frame];
        const bool is_copy = outer.handle != burst[frame].handle;
        if (is_copy) {
            free(frame < sent ? burst[frame] : outer);
            if (frame < sent) end.shared->copied.add(1);
        } else if (frame >= sent) {
            if (end.tag != 0) put_back_tag(outer.data + octets, wrapped.tags[frame]);
            Pool::take_from_front(outer, static_cast<uint16_t>(octets));
        }
    }
}

bool Tunnels::wrap_generated(PortIndex tunnel, const Frame& frame) const {
    constexpr Priority highest = max_priorities - 1;
    const End& end = *ends_[tunnel];
    const MacAddress next_hop = end.shared->next_hop();
    if (next_hop.bits == 0) return false;
    Frame made = frame;
    made.priority = highest;
    end.encapsulator.write({&made, 1}, next_hop);
    return true;
}

void Tunnels::free(const Frame& frame) {
    void* handle = frame.handle;
    pool_.free({&handle, 1});
}

void Tunnels::free_kept() {
    for (const auto& end : ends_) {
        if (end != nullptr) end_flood(*end);
    }
    for (const auto& kept : kept_) {
        if (kept == nullptr) continue;
        std::array<Frame, max_burst> frames;
        const std::size_t count = kept->take(frames);
        for (const Frame& frame : std::span(frames).first(count)) free(frame);
    }
}

}  // namespace sluice::pmd
