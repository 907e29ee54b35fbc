#include "control/evpn/network.h"

#include <algorithm>
#include <utility>

namespace sluice::control::evpn {

// --- what the mirror says ------------------------------------------------------------------------

void Network::set_mirror(const Mirror& mirror, Nanos now) {
    if (mirror == mirror_) return;
    mirror_ = mirror;
    begin_listing();
    end_listing(now);
}

Network::Address* Network::at(MacAddress address) {
    if (const auto found = addresses_.find(address); found != addresses_.end()) {
        return &found->second;
    }
    if (addresses_.size() >= terms_.most_addresses) {
        ++left_out_;
        return nullptr;
    }
    return &addresses_[address];
}

// A bridge says where an address is now, and nothing of where it was before.
void Network::hear(const Entry& entry, Nanos now) {
    if (entry.address == MacAddress{}) return hear_of_flood(entry, now);
    const bool of_device = entry.self && entry.interface == mirror_.device;
    const bool of_bridge = entry.bridge != 0 && entry.bridge == mirror_.bridge;
    if (entry.permanent || entry.address.is_group() || !(of_device || of_bridge)) return;
    Address* const about = at(entry.address);
    if (about == nullptr) return;
    if (of_device) {
        if (!entry.vtep) return;
        if (entry.removed) {
            if (about->device_vtep == entry.vtep) about->device_vtep.reset();
        } else {
            about->device_vtep = entry.vtep;
            about->vtep_listed = true;
        }
    } else {
        const Place place = entry.interface == mirror_.device  ? Place::device
                            : entry.interface == mirror_.local ? Place::local
                                                               : Place::elsewhere;
        if (entry.removed) {
            if (about->place == place) about->place = Place::nowhere;
        } else {
            about->place = place;
            about->place_listed = true;
        }
    }
    conclude(entry.address, *about, !entry.removed, now);
}

void Network::hear_of_flood(const Entry& entry, Nanos now) {
    if (!entry.self || entry.interface != mirror_.device || !entry.vtep) return;
    const auto found = vteps_.find(*entry.vtep);
    if (entry.removed) {
        if (found == vteps_.end() || !found->second.is_told) return;
        found->second.is_told = false;
        found->second.until = end_of_stale(now);
        return keep_stale_for_grace(now);
    }
    if (found == vteps_.end() && vteps_.size() >= most_vteps) return void(++left_out_);
    Vtep& vtep = vteps_[*entry.vtep];
    vtep.floods = vtep.is_told = vtep.listed = true;
}

void Network::set_vtep(Address& about, std::optional<Ipv4Address> vtep) {
    if (about.vtep == vtep) return;
    if (about.vtep) --vteps_[*about.vtep].addresses;
    about.vtep = vtep;
    if (vtep) ++vteps_[*vtep].addresses;
}

// What is said again counts anew: the FDB may have learned the address meanwhile.
void Network::conclude(MacAddress address, Address& about, bool said_again, Nanos now) {
    const bool is_remote = about.place == Place::device && about.device_vtep;
    if (is_remote) {
        const bool has_room = vteps_.contains(*about.device_vtep) || vteps_.size() < most_vteps;
        if (!has_room) return void(++left_out_);
        if (!said_again && about.is_told) return;
        set_vtep(about, about.device_vtep);
        about.is_told = about.is_owed = true;
        about.ordered.reset();
    } else if (about.place == Place::local || about.place == Place::elsewhere) {
        if (!about.vtep) return;
        set_vtep(about, {});  // it has moved here
        about.is_told = false;
        about.is_owed = true;
        about.ordered.reset();
    } else {
        if (!about.is_told) return void(pending_.insert(address));
        about.is_told = false;
        about.until = end_of_stale(now);
    }
    pending_.insert(address);
}

void Network::begin_listing() {
    for (auto& [address, about] : addresses_) about.place_listed = about.vtep_listed = false;
    for (auto& [address, vtep] : vteps_) vtep.listed = false;
}

void Network::end_listing(Nanos now) {
    for (auto& [address, about] : addresses_) {
        if (about.place_listed && about.vtep_listed) continue;
        if (!about.place_listed) about.place = Place::nowhere;
        if (!about.vtep_listed) about.device_vtep.reset();
        conclude(address, about, false, now);
    }
    for (auto& [address, vtep] : vteps_) {
        if (vtep.listed || !vtep.is_told) continue;
        vtep.is_told = false;
        vtep.until = end_of_stale(now);
    }
    keep_stale_for_grace(now);
}

// --- what is stale -------------------------------------------------------------------------------

Nanos Network::end_of_stale(Nanos now) const {
    const bool some_are_told =
        std::ranges::any_of(vteps_, [](const auto& item) { return item.second.is_told; });
    const bool sweeps = swept_ || now < sweep_ends_;
    if (some_are_told || sweeps) return now + std::min(settling, terms_.grace);
    return now + terms_.grace;
}

// BGP has ended, or all other ends have: what was taken away just before goes with the last VTEP.
void Network::keep_stale_for_grace(Nanos now) {
    const Nanos end = end_of_stale(now);
    if (end <= now + settling) return;
    for (auto& [address, vtep] : vteps_) {
        if (vtep.floods && !vtep.is_told) vtep.until = std::max(vtep.until, end);
    }
    for (const MacAddress address : pending_) {
        Address& about = addresses_.at(address);
        if (about.vtep && !about.is_told) about.until = std::max(about.until, end);
    }
}

// --- what follows --------------------------------------------------------------------------------

std::optional<PortIndex> Network::tunnel_to(Ipv4Address vtep) const {
    const auto found = terms_.tunnels.find(vtep);
    return found == terms_.tunnels.end() ? std::nullopt : std::optional(found->second);
}

PortSet Network::flooded() const {
    PortSet ports = 0;
    for (const auto& [address, vtep] : vteps_) {
        if (!vtep.floods) continue;
        if (const auto port = tunnel_to(address)) ports |= only(*port);
    }
    return ports;
}

// What the mirror said last and the FDB does not have yet comes before what the FDB has.
void Network::see_local(MacAddress address, const Known& known, Nanos now, const Effects& effects) {
    if (mirror_.local == 0) return;
    Address* const about = at(address);
    if (about == nullptr || about->is_owed) return;
    about->is_seen = true;
    about->is_missed = false;
    const bool is_there = about->place == Place::local && about->stays == known.stays;
    if (is_there || !may_tell(*about, now)) return;
    about->stays = known.stays;
    effects.tell_kernel(add_to_bridge(++number_, mirror_.local, address, known.stays));
}

bool Network::may_tell(Address& about, Nanos now) {
    if (about.told && now - *about.told < again) return false;
    about.told = now;
    return true;
}

void Network::proceed(Nanos now, const Effects& effects) {
    sweep(now, effects);
    proceed_with_vteps(now);
    proceed_with_pending(now, effects);
    look_at_some(now, effects);
}

void Network::proceed_with_vteps(Nanos now) {
    for (auto item = vteps_.begin(); item != vteps_.end();) {
        Vtep& vtep = item->second;
        if (!vtep.is_told && now >= vtep.until) vtep.floods = false;
        const bool is_of_use = vtep.floods || vtep.is_told || vtep.addresses != 0;
        item = is_of_use ? std::next(item) : vteps_.erase(item);
    }
}

void Network::proceed_with_pending(Nanos now, const Effects& effects) {
    for (auto item = pending_.begin(); item != pending_.end();) {
        const MacAddress address = *item;
        Address& about = addresses_.at(address);
        const bool done = proceed_with(address, about, now, effects);
        const bool is_waited_for = about.told && now - *about.told < again;
        const bool is_empty =
            about.place == Place::nowhere && !about.device_vtep && !about.vtep && !is_waited_for;
        item = done ? pending_.erase(item) : std::next(item);
        if (done && is_empty) addresses_.erase(address);
    }
}

bool Network::proceed_with(MacAddress address, Address& about, Nanos now, const Effects& effects) {
    if (about.vtep && !about.is_told) {
        if (now < about.until) return false;
        set_vtep(about, {});
        about.is_owed = true;
        about.ordered.reset();
    }
    if (!about.is_owed) return true;
    const auto order = order_for(about);
    if (has_it(effects.look_up(address), order)) {
        about.is_owed = false;
        about.ordered.reset();
        return true;
    }
    if (about.ordered && now - *about.ordered < again) return false;
    if (effects.order(address, order)) about.ordered = now;
    return false;
}

// Behind a VTEP without a tunnel it is nowhere here, and least of all where it was.
RemoteOrder Network::order_for(const Address& about) const {
    const auto port = about.vtep ? tunnel_to(*about.vtep) : std::nullopt;
    if (port) return {RemoteOrder::Kind::bind, *port};
    return {about.vtep ? RemoteOrder::Kind::forget : RemoteOrder::Kind::unbind, 0};
}

// What is static stays.
bool Network::has_it(const Known& known, const RemoteOrder& order) {
    if (known.as == Known::As::local && known.stays) return true;
    switch (order.kind) {
        case RemoteOrder::Kind::bind:
            return known.as == Known::As::remote && known.port == order.port;
        case RemoteOrder::Kind::unbind:
            return known.as != Known::As::remote;
        default:
            return known.as == Known::As::unknown;
    }
}

// Of those at the local device whether the FDB has them still.
void Network::look_at_some(Nanos now, const Effects& effects) {
    std::size_t looked_at = 0;
    auto item = addresses_.upper_bound(looked_at_);
    for (; item != addresses_.end() && looked_at < looked_at_a_turn; ++item, ++looked_at) {
        looked_at_ = item->first;
        Address& about = item->second;
        if (about.place == Place::local) {
            look_at_local(item->first, about, now, effects);
        } else if (about.place == Place::nowhere) {
            pending_.insert(item->first);  // to be forgotten, where nothing else holds it
        } else if (about.vtep && !about.is_owed &&
                   effects.look_up(item->first).as == Known::As::unknown) {
            about.is_owed = true;  // a static entry was in the way, and is gone
            pending_.insert(item->first);
        }
    }
    if (item == addresses_.end()) looked_at_ = {};
}

// Who looks an address up may miss it for an instant, and does not twice.
void Network::look_at_local(MacAddress address, Address& about, Nanos now, const Effects& effects) {
    const Known known = effects.look_up(address);
    if (known.as == Known::As::local) return void(about.is_missed = false);
    if (!about.is_seen && now - began_ < terms_.grace) return;
    if (!std::exchange(about.is_missed, true) || !may_tell(about, now)) return;
    effects.tell_kernel(remove_from_bridge(++number_, mirror_.local, address));
}

void Network::stop(const Effects& effects) {
    if (terms_.grace > Nanos(0)) return;
    for (const auto& [address, about] : addresses_) {
        if (about.place != Place::local) continue;
        effects.tell_kernel(remove_from_bridge(++number_, mirror_.local, address));
    }
}

// --- the sweep -----------------------------------------------------------------------------------

void Network::sweep(Nanos now, const Effects& effects) {
    if (sweep_at_ && now >= *sweep_at_) {
        sweep_at_.reset();
        swept_ = MacAddress{};
        ++sweeps_;
        for (const auto& [address, vtep] : vteps_) {
            if (!vtep.is_told) continue;
            effects.tell_kernel(remove_from_device(++number_, mirror_.device, {}, address));
        }
    }
    if (!swept_) return;
    auto item = addresses_.upper_bound(*swept_);
    for (std::size_t n = 0; item != addresses_.end() && n < swept_a_turn; ++item, ++n) {
        const auto& [address, about] = *item;
        swept_ = address;
        if (about.place != Place::device || !about.device_vtep) continue;
        const Ipv4Address vtep = *about.device_vtep;
        effects.tell_kernel(remove_from_device(++number_, mirror_.device, address, vtep));
        effects.tell_kernel(remove_from_bridge(++number_, mirror_.device, address));
    }
    if (item != addresses_.end()) return;
    swept_.reset();
    sweep_ends_ = now + settling;
}

Network::Counts Network::counts() const {
    Counts counts{.left_out = left_out_, .sweeps = sweeps_};
    for (const auto& [address, about] : addresses_) {
        if (about.place == Place::local) ++counts.local;
        if (about.vtep) ++counts.remote;
        if (about.vtep && !about.is_told) ++counts.stale;
    }
    for (const auto& [address, vtep] : vteps_) {
        if (vtep.floods && !vtep.is_told) ++counts.stale;
    }
    return counts;
}

}  // namespace sluice::control::evpn
