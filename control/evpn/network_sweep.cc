// The sweep of a network: removes from the kernel the entries that the routing daemon has not
// written since it began.
#include "control/evpn/network.h"

namespace sluice::control::evpn {

void Network::begin_sweep(const Effects& effects) {
    swept_ = MacAddress{};
    swept_before_ = effects.daemon_began();
    if (swept_before_) *swept_before_ -= age_is_off_by;
    ++sweeps_;
    for (auto& [address, vtep] : vteps_) {
        if (!vtep.is_advertised) continue;
        vtep.is_swept = true;
        effects.send_to_kernel(remove_from_device(next_number(), bridge_.device, {}, address));
    }
}

// Sweeps only while a daemon runs. `daemon_began` is called when one starts.
void Network::sweep(Nanos now, const Effects& effects) {
    const bool begins = sweep_at_ && now >= *sweep_at_;
    if (!(begins || swept_) || stale_.size() >= most_swept) return;
    if (!effects.daemon_is_there()) {
        sweep_at_.reset();
        sweep_dump_ = SweepDump::none;
        if (std::exchange(swept_, std::nullopt)) sweep_ends_ = now + withdrawal_delay;
        return;
    }
    if (begins) {
        if (!has_dump_to_sweep()) return;
        sweep_at_.reset();
        begin_sweep(effects);
    }
    sweep_some(now, effects);
}

bool Network::has_dump_to_sweep() {
    if (sweep_dump_ == SweepDump::none) {
        sweep_dump_ = SweepDump::wanted;
        wants_dump_ = true;
    }
    if (sweep_dump_ != SweepDump::done) return false;
    sweep_dump_ = SweepDump::none;
    return true;
}

void Network::sweep_some(Nanos now, const Effects& effects) {
    auto item = addresses_.upper_bound(*swept_);
    for (std::size_t n = 0; item != addresses_.end() && n < swept_a_turn; ++item, ++n) {
        const auto& [address, about] = *item;
        swept_ = address;
        if (about.place != Place::device || !about.device_vtep) continue;
        if (!swept_before_ || about.written_there >= *swept_before_) continue;
        const Ipv4Address vtep = *about.device_vtep;
        effects.send_to_kernel(remove_from_device(next_number(), bridge_.device, address, vtep));
        effects.send_to_kernel(remove_from_bridge(next_number(), bridge_.device, address));
    }
    if (item != addresses_.end()) return;
    swept_.reset();
    sweep_ends_ = now + withdrawal_delay;
}

bool Network::is_sweeping(Nanos now) const {
    if (swept_) return true;
    return now < sweep_ends_ &&
           std::ranges::any_of(vteps_, [](const auto& item) { return item.second.is_swept; });
}

}  // namespace sluice::control::evpn
