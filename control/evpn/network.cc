#include "control/evpn/network.h"

#include <algorithm>

namespace sluice::control::evpn {

// --- the kernel's bridge -------------------------------------------------------------------------

void Network::set_bridge(const KernelBridge& bridge, Nanos now) {
    if (bridge == bridge_) return;
    bridge_ = bridge;
    unanswered_.clear();
    for (auto& [address, about] : addresses_) {
        about.place = Place::nowhere;
        about.device_vtep.reset();
        conclude(address, about, false, now);
    }
    for (auto& [address, vtep] : vteps_) withdraw(vtep, now);
    keep_stale_for_grace(now);
}

Network::Address* Network::at(MacAddress address, bool for_local) {
    if (const auto found = addresses_.find(address); found != addresses_.end()) {
        return &found->second;
    }
    if (!options_.capacity->has_room(for_local)) {
        if (!for_local) leave_out(left_out_, address);
        return nullptr;
    }
    left_out_.erase(address);
    ++options_.capacity->used;
    Address& about = addresses_[address];
    count_as(about, for_local);
    return &about;
}

void Network::count_as(Address& about, bool local) {
    if (std::exchange(about.counts_as_local, local) == local) return;
    if (local) {
        ++options_.capacity->local;
    } else {
        --options_.capacity->local;
    }
}

// The kernel does not repeat the entries that a network had no room for.
void Network::ask_again(Nanos now) {
    const bool for_address = !left_out_.empty() && options_.capacity->has_room(false);
    const bool for_vtep = !left_out_vteps_.empty() && vteps_.size() < most_vteps;
    if (!(for_address || for_vtep) || now - asked_again_at_ < retry) return;
    asked_again_at_ = now;
    wants_dump_ = true;
}

// A bridge reports where an address is now, and nothing about where it was before.
void Network::receive(const Entry& entry, Nanos now) {
    if (entry.address == MacAddress{}) return receive_flood(entry, now);
    const bool of_device = entry.self && entry.interface == bridge_.device;
    const bool of_bridge = entry.bridge != 0 && entry.bridge == bridge_.bridge;
    if (entry.permanent || entry.address.is_group() || !(of_device || of_bridge)) return;
    if (of_device && !entry.vtep) return;
    if (entry.removed && !addresses_.contains(entry.address)) {
        left_out_.erase(entry.address);
        return;
    }
    const Place place = entry.interface == bridge_.device  ? Place::device
                        : entry.interface == bridge_.local ? Place::local
                                                           : Place::elsewhere;
    Address* const about = at(entry.address, of_bridge && place == Place::local);
    if (about == nullptr) return;
    bool is_known = false;
    if (of_device) {
        is_known = about->device_vtep == entry.vtep;
        if (!entry.removed) {
            about->device_vtep = entry.vtep;
            about->vtep_dumped = true;
            about->vtep_missed = false;
        } else if (is_known) {
            about->device_vtep.reset();
        }
    } else {
        is_known = about->place == place;
        about->unanswered = 0;
        if (!entry.removed) {
            about->place = place;
            if (place == Place::device) about->written_there = now - entry.age.value_or(Nanos(0));
            about->sticky = entry.sticky;
            about->place_dumped = true;
            about->place_missed = false;
        } else if (is_known) {
            about->place = Place::nowhere;
        }
    }
    // An entry that a dump repeats changes nothing; an entry that the daemon writes again counts as
    // a change, because the FDB may have learned the address in between.
    const bool said_again = !entry.removed && !(entry.dumped && is_known);
    conclude(entry.address, *about, said_again, now);
}

void Network::receive_flood(const Entry& entry, Nanos now) {
    if (!entry.self || entry.interface != bridge_.device || !entry.vtep) return;
    const auto found = vteps_.find(*entry.vtep);
    if (entry.removed) {
        left_out_vteps_.erase(*entry.vtep);
        if (found == vteps_.end() || !found->second.is_advertised) return;
        withdraw(found->second, now);
        return keep_stale_for_grace(now);
    }
    if (found == vteps_.end() && vteps_.size() >= most_vteps) {
        return leave_out(left_out_vteps_, *entry.vtep);
    }
    Vtep& vtep = vteps_[*entry.vtep];
    vtep.floods = vtep.is_advertised = vtep.dumped = true;
    vtep.missed = vtep.is_swept = false;
}

// An answer without an error shows that the written entry exists, even if nothing had to change and
// the kernel sent no other message.
void Network::receive(const Answer& answer, Nanos now) {
    const auto found = unanswered_.find(answer.number);
    if (found == unanswered_.end()) return;
    const Write write = found->second;
    unanswered_.erase(found);
    const auto item = addresses_.find(write.address);
    if (answer.error != 0 || item == addresses_.end()) return;
    Address& about = item->second;
    if (about.unanswered != answer.number) return;  // a later request replaced this one
    about.unanswered = 0;
    about.place = Place::local;
    about.sticky = write.sticky;
    about.place_dumped = true;
    about.place_missed = false;
    conclude(write.address, about, false, now);
}

void Network::set_vtep(Address& about, std::optional<Ipv4Address> vtep) {
    if (about.vtep == vtep) return;
    if (about.vtep) --vteps_[*about.vtep].addresses;
    about.vtep = vtep;
    if (vtep) ++vteps_[*vtep].addresses;
}

void Network::end_stale(MacAddress address, Address& about) {
    if (about.vtep && !about.is_advertised) stale_.erase({about.until, address});
}

void Network::want_order(MacAddress address, Address& about) {
    const bool is_in_row = about.is_pending && about.ordered == 0;
    if (!is_in_row) to_order_.push_back(address);
    about.is_pending = true;
    about.ordered = 0;
}

void Network::conclude(MacAddress address, Address& about, bool said_again, Nanos now) {
    const bool is_remote = about.place == Place::device && about.device_vtep;
    if (is_remote || about.place == Place::local) count_as(about, !is_remote);
    if (is_remote) {
        const bool has_room = vteps_.contains(*about.device_vtep) || vteps_.size() < most_vteps;
        if (!has_room) return leave_out(left_out_vteps_, *about.device_vtep);
        if (!said_again && about.is_advertised) return;
        end_stale(address, about);
        set_vtep(about, about.device_vtep);
        about.is_advertised = true;
        want_order(address, about);
    } else if (about.place == Place::local || about.place == Place::elsewhere) {
        if (!about.vtep) return;
        end_stale(address, about);
        set_vtep(about, {});  // the address has moved to a local port
        about.is_advertised = false;
        want_order(address, about);
    } else if (about.is_advertised) {
        about.is_advertised = false;
        about.until = end_of_stale(now);
        stale_.emplace(about.until, address);
        withdrawn_at_ = now + std::min(withdrawal_delay, options_.grace);
    }
}

void Network::begin_dump() {
    if (sweep_dump_ == SweepDump::wanted) sweep_dump_ = SweepDump::under_way;
    left_out_.clear();
    left_out_vteps_.clear();
    for (auto& [address, about] : addresses_) about.place_dumped = about.vtep_dumped = false;
    for (auto& [address, vtep] : vteps_) vtep.dumped = false;
}

bool Network::end_dump(Nanos now) {
    bool is_whole = true;
    // An entry is gone if two dumps in a row lack it.
    const auto is_gone = [&](bool dumped, bool& missed) {
        if (dumped) return false;
        if (std::exchange(missed, true)) return true;
        return is_whole = false;
    };
    for (auto& [address, about] : addresses_) {
        const bool has_place = about.place != Place::nowhere;
        const bool left_place = has_place && is_gone(about.place_dumped, about.place_missed);
        const bool left_vtep = about.device_vtep && is_gone(about.vtep_dumped, about.vtep_missed);
        if (left_place) about.place = Place::nowhere;
        if (left_vtep) about.device_vtep.reset();
        if (left_place || left_vtep) conclude(address, about, false, now);
    }
    for (auto& [address, vtep] : vteps_) {
        if (vtep.is_advertised && is_gone(vtep.dumped, vtep.missed)) withdraw(vtep, now);
    }
    keep_stale_for_grace(now);
    if (is_whole && sweep_dump_ == SweepDump::under_way) sweep_dump_ = SweepDump::done;
    if (!is_whole || bridge_.device == 0 || std::exchange(was_dumped_, true)) return is_whole;
    const bool has_remote = std::ranges::any_of(vteps_, [](const auto& item) {
        return item.second.is_advertised || item.second.addresses;
    });
    // An earlier daemon may have written the remote entries.
    if (has_remote && !sweep_at_) sweep_at_ = now + options_.grace;
    return true;
}

// --- withdrawn addresses -------------------------------------------------------------------------

void Network::withdraw(Vtep& vtep, Nanos now) {
    if (!std::exchange(vtep.is_advertised, false)) return;
    vtep.missed = false;
    vtep.until = end_of_stale(now);
}

Nanos Network::end_of_stale(Nanos now) const {
    const bool some_are_advertised =
        std::ranges::any_of(vteps_, [](const auto& item) { return item.second.is_advertised; });
    if (some_are_advertised || is_sweeping(now)) {
        return now + std::min(withdrawal_delay, options_.grace);
    }
    return now + options_.grace;
}

// If no VTEP is advertised any more, BGP or all other ends have ended: the addresses that were
// withdrawn just before, and the last VTEP, are kept for the grace time.
void Network::keep_stale_for_grace(Nanos now) {
    const Nanos end = end_of_stale(now);
    if (end <= now + withdrawal_delay) return;
    for (auto& [address, vtep] : vteps_) {
        if (vtep.floods && !vtep.is_advertised) vtep.until = std::max(vtep.until, end);
    }
    std::set<std::pair<Nanos, MacAddress>> kept;
    for (const auto& [until, address] : stale_) {
        Address& about = addresses_.at(address);
        about.until = std::max(until, end);
        kept.emplace(about.until, address);
    }
    stale_ = std::move(kept);
}

void Network::expire_vteps(Nanos now) {
    for (auto item = vteps_.begin(); item != vteps_.end();) {
        Vtep& vtep = item->second;
        if (!vtep.is_advertised && now >= vtep.until) vtep.floods = false;
        const bool is_of_use = vtep.floods || vtep.is_advertised || vtep.addresses != 0;
        item = is_of_use ? std::next(item) : vteps_.erase(item);
    }
}

void Network::expire(Nanos now) {
    for (std::size_t n = 0; n < looked_at_a_turn && !stale_.empty(); ++n) {
        const auto [until, address] = *stale_.begin();
        if (now < until || (now < withdrawn_at_ && now < until + longest_withdrawal_delay)) return;
        Address& about = addresses_.at(address);
        end_stale(address, about);
        set_vtep(about, {});
        want_order(address, about);
    }
}

// --- work of a turn ------------------------------------------------------------------------------

std::optional<PortIndex> Network::tunnel_to(Ipv4Address vtep) const {
    if (options_.to_many) return options_.to_many;
    const auto found = options_.tunnels.find(vtep);
    return found == options_.tunnels.end() ? std::nullopt : std::optional(found->second);
}

PortSet Network::flooded() const {
    PortSet ports = 0;
    for (const auto& [address, vtep] : vteps_) {
        if (!vtep.floods) continue;
        if (const auto port = tunnel_to(address)) ports |= only(*port);
    }
    return ports;
}

// While an order to the FDB is not carried out yet (`is_pending`), the FDB's entry is older than
// what the kernel's bridge reported. So the entry is ignored until the order is carried out.
void Network::see_local(MacAddress address, const Known& known, Nanos now, const Effects& effects) {
    if (bridge_.local == 0) return;
    Address* const about = at(address, true);
    if (about == nullptr || about->is_pending) return;
    about->is_seen = true;
    about->is_missed = false;
    const bool is_there = about->place == Place::local && about->sticky == known.sticky;
    if (is_there || !may_write(*about, now)) return;
    const uint32_t number = next_number();
    about->unanswered = number;
    unanswered_[number] = {address, known.sticky};
    if (unanswered_.size() > most_unanswered) unanswered_.erase(unanswered_.begin());
    effects.send_to_kernel(add_to_bridge(number, bridge_.local, address, known.sticky));
}

bool Network::may_write(Address& about, Nanos now) {
    if (about.written && now - *about.written < write_interval) return false;
    about.written = now;
    return true;
}

void Network::proceed(Nanos now, const Effects& effects) {
    sweep(now, effects);
    expire_vteps(now);
    expire(now);
    finish_orders(effects);
    give_orders(now, effects);
    look_at_some(now, effects);
    ask_again(now);
}

void Network::finish_orders(const Effects& effects) {
    for (const uint64_t done = effects.carried_out();
         !ordered_.empty() && ordered_.front().first <= done; ordered_.pop_front()) {
        const auto [number, address] = ordered_.front();
        const auto found = addresses_.find(address);
        if (found == addresses_.end() || found->second.ordered != number) continue;
        found->second.is_pending = false;
        found->second.ordered = 0;
    }
}

void Network::give_orders(Nanos now, const Effects& effects) {
    for (; !to_order_.empty(); to_order_.pop_front()) {
        const MacAddress address = to_order_.front();
        Address& about = addresses_.at(address);
        if (options_.to_many) effects.place_behind(address, about.vtep);
        const auto number = effects.order(address, order_for(about));
        if (!number) return;
        about.ordered = *number;
        about.ordered_at = now;
        ordered_.emplace_back(*number, address);
    }
}

// An address behind a VTEP without a tunnel cannot be reached, and must not stay at the port where
// it was before.
RemoteOrder Network::order_for(const Address& about) const {
    const auto port = about.vtep ? tunnel_to(*about.vtep) : std::nullopt;
    if (port) return {RemoteOrder::Kind::bind, *port};
    return {about.vtep ? RemoteOrder::Kind::forget : RemoteOrder::Kind::unbind, 0};
}

void Network::look_at_some(Nanos now, const Effects& effects) {
    auto item = addresses_.upper_bound(looked_at_);
    for (std::size_t n = 0; item != addresses_.end() && n < looked_at_a_turn; ++n) {
        looked_at_ = item->first;
        Address& about = item->second;
        if (is_empty(about, now)) {
            count_as(about, false);
            --options_.capacity->used;
            item = addresses_.erase(item);
            continue;
        }
        if (about.place == Place::local) look_at_local(item->first, about, now, effects);
        if (is_lacking(item->first, about, now, effects)) want_order(item->first, about);
        ++item;
    }
    if (item == addresses_.end()) looked_at_ = {};
}

bool Network::is_empty(const Address& about, Nanos now) {
    const bool is_waited_for = about.written && now - *about.written < write_interval;
    return about.place == Place::nowhere && !about.device_vtep && !about.vtep &&
           !about.is_pending && !is_waited_for;
}

// The FDB lacks the entry if the FDB had no room, or if a static entry was in the way.
bool Network::is_lacking(MacAddress address, const Address& about, Nanos now,
                         const Effects& effects) const {
    if (!about.vtep || about.is_pending || now - about.ordered_at < retry) return false;
    return tunnel_to(*about.vtep) && effects.look_up(address).as == Known::As::unknown;
}

// A lookup may miss an address for an instant; only a second miss in a row removes it.
void Network::look_at_local(MacAddress address, Address& about, Nanos now, const Effects& effects) {
    const Known known = effects.look_up(address);
    if (known.as == Known::As::local) return void(about.is_missed = false);
    if (!about.is_seen && now - began_ < options_.grace) return;
    if (!std::exchange(about.is_missed, true) || !may_write(about, now)) return;
    about.unanswered = 0;
    effects.send_to_kernel(remove_from_bridge(next_number(), bridge_.local, address));
}

void Network::stop(const Effects& effects) {
    if (options_.grace > Nanos(0)) return;
    for (const auto& [address, about] : addresses_) {
        const bool is_there = about.place == Place::local || about.unanswered != 0;
        if (!is_there) continue;
        effects.send_to_kernel(remove_from_bridge(next_number(), bridge_.local, address));
    }
}

Network::Counts Network::counts() const {
    Counts counts{.stale = stale_.size(),
                  .left_out = left_out_.size() + left_out_vteps_.size(),
                  .sweeps = sweeps_};
    for (const auto& [address, about] : addresses_) {
        if (about.place == Place::local) ++counts.local;
        if (about.vtep) ++counts.remote;
    }
    for (const auto& [address, vtep] : vteps_) {
        if (vtep.floods && !vtep.is_advertised) ++counts.stale;
    }
    return counts;
}

}  // namespace sluice::control::evpn
