#include "control/dcbx/compatible.h"

namespace sluice::dcbx {
namespace {

Selection served(const Ets& ets, std::size_t priority) {
    return ets.selection[ets.class_of[priority]];
}

bool is_port(Selector selector) {
    return selector == Selector::tcp || selector == Selector::udp ||
           selector == Selector::tcp_or_udp;
}

// Whether two entries apply to the same frames. An entry for a port of both TCP and UDP overlaps an
// entry for the same port of one of them; CEE only has entries for both.
bool overlap(const Application& one, const Application& other) {
    if (one.protocol != other.protocol) return false;
    if (one.selector == other.selector) return true;
    const bool either =
        one.selector == Selector::tcp_or_udp || other.selector == Selector::tcp_or_udp;
    return either && is_port(one.selector) && is_port(other.selector);
}

bool priorities_are_there(const ApplicationTable& one, const ApplicationTable& other) {
    for (const Application& entry : one) {
        PrioritySet there = 0;
        for (const Application& theirs : other) {
            if (overlap(entry, theirs)) there |= only_priority(theirs.priority);
        }
        if (there != 0 && (there & only_priority(entry.priority)) == 0) return false;
    }
    return true;
}

}  // namespace

bool compatible_pfc(const PrioritySet& one, const PrioritySet& other) { return one == other; }

bool compatible_ets(const Ets& one, const Ets& other) {
    for (std::size_t first = 0; first < max_priorities; ++first) {
        if (served(one, first) != served(other, first)) return false;
        // Strict priorities may share classes in different ways at the two ends: strict classes
        // serve them in the same order nevertheless.
        if (served(one, first) == Selection::strict) continue;
        for (std::size_t second = 0; second < first; ++second) {
            const bool together = one.class_of[first] == one.class_of[second];
            if (together != (other.class_of[first] == other.class_of[second])) return false;
        }
    }
    return true;
}

bool compatible_groups(const Ets& /*one*/, const Ets& /*other*/) { return true; }

bool compatible_applications(const ApplicationTable& one, const ApplicationTable& other) {
    return priorities_are_there(one, other) && priorities_are_there(other, one);
}

}  // namespace sluice::dcbx
