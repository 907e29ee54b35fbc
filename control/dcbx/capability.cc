#include "control/dcbx/capability.h"

#include <bitset>

namespace sluice::dcbx {

bool can_pause(const Advertisement& peer, PrioritySet enabled) {
    if (!peer.pfc || !peer.pfc->enabled) return true;
    std::bitset<traffic_classes> classes;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((enabled & only_priority(priority)) == 0) continue;
        classes.set(peer.ets ? peer.ets->parameter.class_of[priority] : priority);
    }
    return classes.count() <= peer.pfc->parameter.capability;
}

}  // namespace sluice::dcbx
