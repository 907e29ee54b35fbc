// The part of Tunnels (tunnels.h) that is of tunnels to many VTEPs.
#include <algorithm>
#include <utility>

#include "dataplane/address.h"
#include "pmd_glue/tunnels.h"

namespace sluice::pmd {

// By the worker, before the frame is anybody's.
void Tunnels::note_arrival(const End& end, const Arrival& arrival, const Frame& frame) {
    Vteps& vteps = *end.shared->vteps;
    Vteps::Counts& counts = vteps.counts(Vteps::slot_of(arrival.vtep));
    counts.received.add(1);
    counts.received_octets.add(frame.length);
    if (vteps.learns()) vteps.learn(read_address(frame.data + 6), arrival.vtep);
}

// Nothing: it is for all that get floods.
std::optional<std::size_t> Tunnels::slot_for(const End& end, const Frame& frame) {
    const MacAddress station = read_address(frame.data);
    if (station.is_group()) return std::nullopt;
    const auto id = end.shared->vteps->behind(station);
    return id ? std::optional(Vteps::slot_of(*id)) : std::nullopt;
}

std::size_t Tunnels::transmit_to_many(End& end, std::span<const Frame> burst) {
    end.was_refused = false;
    if (end.flooded.handle != nullptr) return 0;  // go_on continues it
    std::size_t done = 0;
    while (done < burst.size()) {
        const auto rest = burst.subspan(done);
        std::size_t known = 0;
        const std::size_t sent = send_to_known(end, rest, known);
        done += sent;
        if (sent < known) {
            end.was_refused = true;
            break;
        }
        if (known > 0) continue;
        const Frame& frame = rest.front();
        ++done;
        if (const auto slot = slot_for(end, frame)) {
            end.shared->vteps->counts(*slot).dropped.add(1);
            free(frame);
        } else {
            end.flooded = frame;
            end.next_slot = 0;
            end.shared->flooded.add(1);
            if (!continue_flood(end)) break;
        }
    }
    return done;
}

// The first so many of which each has a VTEP whose next hop is known (`known`). Returns how many of
// them the device took.
std::size_t Tunnels::send_to_known(const End& end, std::span<const Frame> burst,
                                   std::size_t& known) {
    Vteps& vteps = *end.shared->vteps;
    std::array<VtepWay, max_burst> ways;
    std::array<std::size_t, max_burst> slots;
    for (const Frame& frame : burst) {
        const auto slot = slot_for(end, frame);
        if (!slot) break;
        const VtepWay way = vteps.way(*slot);
        if (way.next_hop.bits == 0) break;
        ways[known] = way;
        slots[known++] = *slot;
    }
    if (known == 0) return 0;
    const auto run = burst.first(known);
    std::array<uint16_t, max_burst> lengths;
    std::ranges::transform(run, lengths.begin(), &Frame::length);
    const std::size_t sent = send(end, run, {}, ways);
    for (std::size_t n = 0; n < sent; ++n) {
        Vteps::Counts& counts = vteps.counts(slots[n]);
        counts.sent.add(1);
        counts.sent_octets.add(lengths[n]);
    }
    return sent;
}

// False: it is still under way.
bool Tunnels::continue_flood(End& end) {
    Vteps& vteps = *end.shared->vteps;
    while (end.room > 0) {
        std::array<std::size_t, copies_a_burst> slots;
        std::array<VtepWay, copies_a_burst> ways;
        const std::size_t most = std::min(end.room, slots.size());
        std::size_t count = 0;
        std::size_t slot = vteps.next_flooded(end.next_slot);
        for (; slot != Vteps::none && count < most; slot = vteps.next_flooded(slot + 1)) {
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
        end.room -= count;
        const std::size_t sent = *made;
        if (sent > 0) end.next_slot = slots[sent - 1] + 1;
        if (sent < count && end.below->port->gives_up()) {
            vteps.counts(slots[sent]).dropped.add(1);  // it is longer than the device takes
            end.next_slot = slots[sent] + 1;
        } else if (sent < count) {
            return false;
        }
    }
    return false;
}

// Copies of the frame that is being flooded, to these. Returns how many the device took; nothing:
// there were no buffers.
std::optional<std::size_t> Tunnels::copy_to(const End& end, std::span<const std::size_t> slots,
                                            std::span<const VtepWay> ways) {
    const Frame& frame = end.flooded;
    const std::size_t octets = end.encapsulator.octets();
    std::array<Frame, copies_a_burst> copies;
    const auto made = std::span(copies).first(slots.size());
    if (!pool_.allocate(made, static_cast<uint16_t>(octets + frame.length))) return std::nullopt;
    for (Frame& copy : made) {
        std::copy_n(frame.data, frame.length, copy.data + octets);
        copy.priority = frame.priority;
    }
    end.encapsulator.write_each(made, ways);
    const std::size_t sent = end.below->port->transmit(made);
    for (const Frame& copy : made.subspan(sent)) free(copy);
    end.shared->encapsulated.add(sent);
    end.shared->copied.add(sent);
    for (const std::size_t slot : slots.first(sent)) {
        Vteps::Counts& counts = end.shared->vteps->counts(slot);
        counts.sent.add(1);
        counts.sent_octets.add(frame.length);
    }
    return sent;
}

bool Tunnels::any_floods() const {
    bool any = false;
    for_each_port(to_many_, [&](PortIndex tunnel) { any |= floods(tunnel); });
    return any;
}

void Tunnels::go_on(PortIndex tunnel, PrioritySet blocked) {
    End& end = *ends_[tunnel];
    if (end.flooded.handle != nullptr && (blocked & only_priority(end.flooded.priority)) == 0) {
        continue_flood(end);
        end.below->port->flush();
    }
    end.room = copies_a_poll;
    Vteps& vteps = *end.shared->vteps;
    if (vteps.learns()) vteps.age_some();
}

}  // namespace sluice::pmd
