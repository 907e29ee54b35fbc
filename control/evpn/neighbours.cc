#include "control/evpn/neighbours.h"

#include <cassert>
#include <utility>

namespace sluice::control::evpn {

namespace {

// Whether a station may have the address (RFC 1122 3.2.1.3, RFC 4291 2.4).
bool is_of_a_station(const IpAddress& ip) {
    if (const auto* const ipv4 = std::get_if<Ipv4Address>(&ip)) {
        const uint32_t first = ipv4->bits >> 24;
        return first != 0 && first != 127 && first < 224;
    }
    const Ipv6Address& ipv6 = *std::get_if<Ipv6Address>(&ip);
    return ipv6 != Ipv6Address{} && ipv6.octets[0] != 0xFF;
}

bool is_station(MacAddress mac) { return mac != MacAddress{} && !mac.is_group(); }

}  // namespace

// --- the kernel's bridge -------------------------------------------------------------------------

void Neighbours::set_bridge(uint32_t bridge) {
    if (std::exchange(bridge_, bridge) == bridge) return;
    was_dumped_ = false;
    sweep_at_.reset();
    swept_.reset();
    for (auto& [ip, about] : all_) {
        about.side = Side::none;
        want_look(ip, about);
    }
}

Neighbours::About* Neighbours::at(const IpAddress& ip, bool for_local) {
    if (const auto found = all_.find(ip); found != all_.end()) return &found->second;
    if (!options_.capacity->has_room(for_local)) {
        ++left_out_;
        return nullptr;
    }
    ++options_.capacity->used;
    return &all_[ip];
}

void Neighbours::want_look(const IpAddress& ip, About& about) {
    if (std::exchange(about.is_pending, true)) return;
    changed_.push_back(ip);
}

void Neighbours::receive(const Neighbour& neighbour) {
    if (bridge_ == 0 || neighbour.interface != bridge_ || !is_of_a_station(neighbour.ip)) return;
    if (neighbour.removed) {
        const auto found = all_.find(neighbour.ip);
        if (found == all_.end()) return;
        found->second.side = Side::none;
        return want_look(neighbour.ip, found->second);
    }
    About* const about = at(neighbour.ip, !neighbour.remote);
    if (about == nullptr) return;
    const Side side = neighbour.remote ? Side::remote : Side::local;
    const bool is_known = about->side == side && about->mac == neighbour.mac;
    about->side = side;
    about->mac = neighbour.mac;
    about->router = neighbour.router;
    about->dumped = true;
    about->missed = false;
    const bool is_news = !(neighbour.dumped && is_known);
    if (neighbour.remote && is_news) set_claimed(*about, {});
    want_look(neighbour.ip, *about);
}

void Neighbours::begin_dump() {
    for (auto& [ip, about] : all_) about.dumped = false;
}

bool Neighbours::end_dump(Nanos now) {
    bool is_whole = true;
    bool has_remote = false;
    for (auto& [ip, about] : all_) {
        has_remote |= about.side == Side::remote && about.dumped;
        if (about.side == Side::none || about.dumped) continue;
        if (!std::exchange(about.missed, true)) {
            is_whole = false;
            continue;
        }
        about.side = Side::none;
        want_look(ip, about);
    }
    if (!is_whole || bridge_ == 0 || std::exchange(was_dumped_, true)) return is_whole;
    if (has_remote && !sweep_at_) daemon_began(now);  // remote entries may be of an earlier daemon
    return true;
}

// --- addresses that hosts announce ---------------------------------------------------------------

void Neighbours::set_claimed(About& about, MacAddress mac) {
    if (about.claimed == mac) return;
    if (is_station(about.claimed)) {
        const auto of = claims_of_.find(about.claimed);
        assert(of != claims_of_.end() && of->second > 0 && options_.capacity_here->used > 0);
        if (--of->second == 0) claims_of_.erase(of);
        --options_.capacity_here->used;
    }
    about.claimed = mac;
    about.missed_at.reset();
    if (!is_station(mac)) return;
    ++claims_of_[mac];
    ++options_.capacity_here->used;
    about.was_claimed = true;
}

void Neighbours::claim(const Station& station, std::optional<bool> router, Nanos now) {
    if (!is_of_a_station(station.ip) || !is_station(station.mac)) return;
    const auto found = all_.find(station.ip);
    const bool is_new = found == all_.end() || found->second.claimed != station.mac;
    if (is_new && !has_room_here(station.mac)) return void(++left_out_);
    About* const about = at(station.ip, true);
    if (about == nullptr) return;
    const bool was_router =
        is_new ? about->mac == station.mac && about->router : about->claims_router;
    set_claimed(*about, station.mac);
    about->claims_router = router.value_or(was_router);
    about->claimed_at = now;
    want_look(station.ip, *about);
}

bool Neighbours::has_room_here(MacAddress mac) const {
    const auto of = claims_of_.find(mac);
    const bool has_too_many = of != claims_of_.end() && of->second >= most_of_one;
    return !has_too_many && options_.capacity_here->has_room(true);
}

// A station that has moved to a local port and asks for its own address gets no answer.
std::optional<Station> Neighbours::answer(const IpAddress& ip, MacAddress asked_by,
                                          const Effects& effects) const {
    const auto found = all_.find(ip);
    if (found == all_.end() || !found->second.is_answered()) return {};
    const About& about = found->second;
    const bool is_remote = effects.look_up(about.mac).as == Known::As::remote;
    if (!is_remote || about.mac == asked_by) return {};
    return Station{ip, about.mac, about.router};
}

// --- work of a turn ------------------------------------------------------------------------------

void Neighbours::proceed(Nanos now, const Effects& effects) {
    sweep(now, effects);
    look_at_changed(now, effects);
    look_at_some(now, effects);
}

void Neighbours::look_at_changed(Nanos now, const Effects& effects) {
    for (std::size_t n = 0; n < looked_at_a_turn && !changed_.empty(); ++n) {
        const IpAddress ip = changed_.front();
        changed_.pop_front();
        const auto found = all_.find(ip);
        assert(found != all_.end() && found->second.is_pending);
        found->second.is_pending = false;
        look_at(ip, found->second, now, effects);
    }
}

void Neighbours::look_at_some(Nanos now, const Effects& effects) {
    auto item = all_.upper_bound(looked_at_);
    for (std::size_t n = 0; item != all_.end() && n < looked_at_a_turn; ++n) {
        looked_at_ = item->first;
        look_at(item->first, item->second, now, effects);
        item = is_empty(item->second) ? erase(item) : std::next(item);
    }
    if (item == all_.end()) looked_at_ = {};
}

void Neighbours::look_at(const IpAddress& ip, About& about, Nanos now, const Effects& effects) {
    look_for_host(ip, about, now, effects);
    update_kernel(ip, about, now, effects);
    set_word(ip, about, now, effects);
}

// A lookup may miss an address for an instant; only a miss at two turns ends the claim.
void Neighbours::look_for_host(const IpAddress& ip, About& about, Nanos now,
                               const Effects& effects) {
    if (!is_station(about.claimed)) {
        const bool was_announced = about.side == Side::local && !about.was_claimed;
        if (was_announced && effects.look_up(about.mac).as == Known::As::local) {
            claim({ip, about.mac, about.router}, about.router, now);
        }
        return;
    }
    if (now - about.claimed_at >= longest_unclaimed) return set_claimed(about, {});
    if (effects.look_up(about.claimed).as == Known::As::local) {
        about.missed_at.reset();
    } else if (!about.missed_at) {
        about.missed_at = now;
    } else if (*about.missed_at != now) {
        set_claimed(about, {});
    }
}

void Neighbours::update_kernel(const IpAddress& ip, About& about, Nanos now,
                               const Effects& effects) {
    if (bridge_ == 0) return;
    if (is_station(about.claimed)) {
        if (about.missed_at || about.is_written() || !may_write(about, now)) return;
        const Station station{ip, about.claimed, about.claims_router};
        return effects.send_to_kernel(add_neighbour(next_number(), bridge_, station));
    }
    const bool may_be_here = !about.was_claimed && now - began_ < options_.grace;
    if (about.side != Side::local || may_be_here || !may_write(about, now)) return;
    effects.send_to_kernel(remove_neighbour(next_number(), bridge_, ip));
}

// Sets the address's word in the filter. If the filter has no room, workers flood requests for a
// remote address, and send packets of a local address to control again.
void Neighbours::set_word(const IpAddress& ip, About& about, Nanos now, const Effects& effects) {
    NeighbourFilter& filter = *options_.filter;
    uint64_t word = 0;
    if (about.side == Side::remote && !is_station(about.claimed)) {
        const bool is_remote = effects.look_up(about.mac).as == Known::As::remote;
        if (is_remote) word = filter.answered(options_.vlan, ip);
    } else if (is_station(about.claimed) && !about.missed_at && about.is_written()) {
        const bool is_fresh = now - about.claimed_at < fresh;
        if (is_fresh) word = filter.known(options_.vlan, ip, about.claimed, about.claims_router);
    }
    if (word == about.word) return;
    if (about.word != 0) filter.remove(about.word);
    about.word = word != 0 && filter.add(word) ? word : 0;
}

bool Neighbours::may_write(About& about, Nanos now) {
    if (about.written && now - *about.written < write_interval) return false;
    about.written = now;
    return true;
}

bool Neighbours::is_empty(const About& about) {
    return about.side == Side::none && !is_station(about.claimed) && about.word == 0 &&
           !about.is_pending;
}

Neighbours::All::iterator Neighbours::erase(All::iterator item) {
    assert(options_.capacity->used > 0);
    --options_.capacity->used;
    return all_.erase(item);
}

// Sweeps only while a daemon runs. `daemon_began` is called when one starts.
void Neighbours::sweep(Nanos now, const Effects& effects) {
    const bool begins = sweep_at_ && now >= *sweep_at_;
    if (!(begins || swept_) || bridge_ == 0) return;
    if (begins) sweep_at_.reset();
    if (!effects.daemon_is_there()) return swept_.reset();
    if (begins) swept_ = IpAddress{};
    auto item = all_.upper_bound(*swept_);
    for (std::size_t n = 0; item != all_.end() && n < swept_a_turn; ++item, ++n) {
        swept_ = item->first;
        if (item->second.side != Side::remote) continue;
        effects.send_to_kernel(remove_neighbour(next_number(), bridge_, item->first));
    }
    if (item == all_.end()) swept_.reset();
}

void Neighbours::stop(const Effects& effects) {
    if (options_.grace > Nanos(0) || bridge_ == 0) return;
    for (const auto& [ip, about] : all_) {
        if (about.side != Side::local) continue;
        effects.send_to_kernel(remove_neighbour(next_number(), bridge_, ip));
    }
}

// --- state for `show` ----------------------------------------------------------------------------

std::vector<Neighbours::Row> Neighbours::rows() const {
    std::vector<Row> rows;
    for (const auto& [ip, about] : all_) {
        const bool is_local = about.side == Side::local;
        if (!is_local && !about.is_answered()) continue;
        rows.push_back({ip, about.mac, !is_local, about.router});
    }
    return rows;
}

Neighbours::Counts Neighbours::counts() const {
    Counts counts{.left_out = left_out_, .suppressed = suppressed_, .unanswered = unanswered_};
    for (const auto& [ip, about] : all_) {
        if (about.side == Side::local) ++counts.local;
        if (about.is_answered()) ++counts.remote;
    }
    return counts;
}

}  // namespace sluice::control::evpn
