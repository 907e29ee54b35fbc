// Tunnels to many: the part of Tunnels (tunnels.h) for tunnels to many VTEPs.
#include <rte_mbuf.h>
#include <algorithm>
#include <cassert>
#include <cstring>

#include "dataplane/types/address.h"
#include "dataplane/types/tag.h"
#include "pmd_glue/tunnels.h"

namespace sluice::pmd {

namespace {

bool has_flooded(const Vteps& network) {
    return network.next_flooded(0, network.added()) != Vteps::none;
}

}  // namespace

// Counts a decapsulated frame, learns its station, and inserts the tag of its network. Called
// before other code uses the frame.
void Tunnels::take_arrival(const End& end, const Arrival& arrival, Frame& frame) {
    Vteps& network =
        end.only_network != nullptr ? *end.only_network : (*end.shared->bundle)[arrival.network];
    Vteps::Counts& counts = network.counts(Vteps::slot_of(arrival.vtep));
    counts.received.add(1);
    counts.received_octets.add(frame.length);
    if (network.learns()) network.learn(read_address(frame.data + 6), arrival.vtep);
    if (end.tag != 0) put_tag(network, frame);
}

// Writes the tag of the network's VLAN where the outer headers were.
void Tunnels::put_tag(const Vteps& network, Frame& frame) {
    auto& buffer = *static_cast<rte_mbuf*>(frame.handle);
    uint8_t* const data = frame.data - tag_octets;
    std::memmove(data, frame.data, tag_offset);
    write_16(data + tag_offset, ether_type_of(TagType::customer));
    write_16(data + tag_offset + 2, network.network().vlan);
    buffer.data_off = static_cast<uint16_t>(buffer.data_off - tag_octets);
    frame.length = static_cast<uint16_t>(frame.length + tag_octets);
    buffer.data_len = frame.length;
    buffer.pkt_len = frame.length;
    frame.data = data;
}

// Returns the network of the frame's VLAN; null if there is none.
[[gnu::noinline]] Vteps* Tunnels::network_by_vlan(const End& end, const Frame& frame) {
    constexpr uint16_t vlan_id = 0x0FFF;
    const bool is_tagged = frame.length >= tag_offset + tag_octets + 2 &&
                           read_16(frame.data + tag_offset) == ether_type_of(TagType::customer) &&
                           !is_tag(read_16(frame.data + tag_offset + tag_octets));
    if (!is_tagged) return nullptr;
    return end.shared->bundle->of_vlan(read_16(frame.data + tag_offset + 2) & vlan_id);
}

// Inlined, since it runs for each frame.
[[gnu::always_inline]] inline Tunnels::Way Tunnels::way_for(const End& end, const Frame& frame) {
    Way way{end.only_network != nullptr ? end.only_network : network_by_vlan(end, frame)};
    const MacAddress station = read_address(frame.data);
    if (way.network == nullptr || station.is_group()) return way;
    if (const auto id = way.network->behind(station)) way.slot = Vteps::slot_of(*id);
    return way;
}

std::size_t Tunnels::transmit_to_many(End& end, std::span<const Frame> burst) {
    end.was_refused = false;
    if (end.flooded.handle != nullptr) return 0;  // go_on continues the flood
    std::size_t done = 0;
    while (done < burst.size()) {
        const auto rest = burst.subspan(done);
        std::size_t known = 0;
        const std::size_t sent = send_to_known(end, rest, known);
        done += sent;
        if (sent < known) break;
        if (known > 0) continue;
        const Frame& frame = rest.front();
        ++done;
        const Way way = way_for(end, frame);
        if (way.network != nullptr && way.slot) {
            way.network->counts(*way.slot).dropped.add(1);
            free(frame);
        } else if (way.network == nullptr || !has_flooded(*way.network)) {
            end.shared->unmapped.add(1);
            free(frame);
        } else {
            begin_flood(end, frame, *way.network);
            if (!continue_flood(end)) break;
        }
    }
    return done;
}

void Tunnels::begin_flood(End& end, const Frame& frame, Vteps& network) {
    assert(end.flooded.handle == nullptr && "a flood ends before the next begins");
    end.flooded = frame;
    end.flooded_in = &network;
    end.flooded_by = network.added();
    end.next_slot = 0;
    end.shared->flooded.add(1);
}

// Sends the first frames, up to one whose VTEP or next hop is unknown. Sets `known` to the number
// of these frames. Returns how many of them the device accepted.
std::size_t Tunnels::send_to_known(End& end, std::span<const Frame> burst, std::size_t& known) {
    std::array<VtepWay, max_burst> ways;
    std::array<Vteps::Counts*, max_burst> counts;
    for (const Frame& frame : burst) {
        const Way to = way_for(end, frame);
        if (!to.slot) break;
        const VtepWay way = to.network->way(*to.slot);
        if (way.next_hop.bits == 0) break;
        ways[known] = way;
        counts[known++] = &to.network->counts(*to.slot);
    }
    if (known == 0) return 0;
    const auto run = burst.first(known);
    std::array<uint16_t, max_burst> lengths;
    std::ranges::transform(run, lengths.begin(), &Frame::length);
    const std::size_t sent = send(end, run, {}, ways);
    for (std::size_t n = 0; n < sent; ++n) {
        counts[n]->sent.add(1);
        counts[n]->sent_octets.add(lengths[n] - std::size_t{end.tag});
    }
    return sent;
}

// Returns false if the flood is still in progress.
bool Tunnels::continue_flood(End& end) {
    Vteps& vteps = *end.flooded_in;
    const auto next = [&](std::size_t slot) { return vteps.next_flooded(slot, end.flooded_by); };
    while (end.room > 0) {
        std::array<std::size_t, copies_a_burst> slots;
        std::array<VtepWay, copies_a_burst> ways;
        const std::size_t most = std::min(end.room, slots.size());
        std::size_t count = 0;
        std::size_t slot = next(end.next_slot);
        for (; slot != Vteps::none && count < most; slot = next(slot + 1)) {
            ways[count] = vteps.way(slot);
            if (ways[count].next_hop.bits == 0) break;
            slots[count++] = slot;
        }
        if (count == 0) {
            if (slot == Vteps::none) {
                end_flood(end);
                return true;
            }
            vteps.counts(slot).dropped.add(1);
            end.next_slot = slot + 1;
            continue;
        }
        const auto made = copy_to(end, std::span(slots).first(count), ways);
        if (!made) return false;
        assert(count <= end.room);
        end.room -= count;
        const std::size_t sent = *made;
        if (sent > 0) end.next_slot = slots[sent - 1] + 1;
        if (sent < count && end.below->port->gives_up()) {
            vteps.counts(slots[sent]).dropped.add(1);  // the copy is too long for the device
            end.next_slot = slots[sent] + 1;
        } else if (sent < count) {
            return false;
        }
    }
    return false;
}

// Sends copies of the flooded frame to the VTEPs of `slots`. Returns how many the device accepted;
// nothing if there were no buffers.
std::optional<std::size_t> Tunnels::copy_to(const End& end, std::span<const std::size_t> slots,
                                            std::span<const VtepWay> ways) {
    const Frame& frame = end.flooded;
    const std::size_t octets = end.encapsulator.octets();
    const auto length = static_cast<std::size_t>(frame.length) - end.tag;
    std::array<Frame, copies_a_burst> copies;
    const auto made = std::span(copies).first(slots.size());
    if (!pool_.allocate(made, static_cast<uint16_t>(octets + length))) return std::nullopt;
    for (Frame& copy : made) {
        uint8_t* const inner = copy.data + octets;
        std::copy_n(frame.data, tag_offset, inner);
        std::copy_n(frame.data + tag_offset + end.tag, length - tag_offset, inner + tag_offset);
        copy.priority = frame.priority;
    }
    end.encapsulator.write_each(made, ways);
    const std::size_t sent = end.below->port->transmit(made);
    for (const Frame& copy : made.subspan(sent)) free(copy);
    end.shared->encapsulated.add(sent);
    end.shared->copied.add(sent);
    for (const std::size_t slot : slots.first(sent)) {
        Vteps::Counts& counts = end.flooded_in->counts(slot);
        counts.sent.add(1);
        counts.sent_octets.add(length);
    }
    return sent;
}

bool Tunnels::any_floods() const {
    bool any = false;
    for_each_port(to_many_, [&](PortIndex tunnel) { any |= floods(tunnel); });
    return any;
}

bool Tunnels::are_to_age() const {
    bool any = false;
    for_each_port(to_many_, [&](PortIndex tunnel) {
        const Bundle& bundle = *ends_[tunnel]->shared->bundle;
        for (std::size_t network = 0; network < bundle.count(); ++network) {
            any |= bundle[network].learns() && bundle[network].is_to_age();
        }
    });
    return any;
}

void Tunnels::go_on(PortIndex tunnel, PrioritySet blocked) {
    End& end = *ends_[tunnel];
    if (end.flooded.handle != nullptr && (blocked & only_priority(end.flooded.priority)) == 0) {
        continue_flood(end);
        end.below->port->flush();
    }
    end.room = copies_a_poll;
    const Bundle& bundle = *end.shared->bundle;
    Vteps& network = bundle[end.ageing];
    if (network.learns()) network.age_some();
    end.ageing = (end.ageing + 1) % bundle.count();
}

}  // namespace sluice::pmd
