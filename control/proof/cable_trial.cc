#include "control/proof/cable_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>

#include "control/lldp/lldpdu.h"

namespace sluice::control {

namespace {

constexpr std::size_t shortest_frame = 60;
constexpr uint16_t lldp_ether_type = 0x88CC;

lldp::Octets id_of(lldp::ChassisIdSubtype subtype, const std::string& text) {
    lldp::Octets id{static_cast<uint8_t>(subtype)};
    id.insert(id.end(), text.begin(), text.end());
    return id;
}

// Octets that a NIC or a driver appends are padding.
bool begins_with(std::span<const uint8_t> frame, const std::vector<uint8_t>& wanted) {
    return frame.size() >= wanted.size() && std::ranges::equal(frame.first(wanted.size()), wanted);
}

}  // namespace

CableTrial::CableTrial(std::array<CableEnd, 2> ends, const TrialMark& mark, bool pauses)
    : ends_(ends), mark_(mark), pauses_(pauses) {}

TrialMark CableTrial::mark_of(std::size_t end) const {
    TrialMark mark = mark_;
    mark.back() = static_cast<uint16_t>((mark.back() & ~1U) | end);
    return mark;
}

std::vector<uint8_t> CableTrial::pause_of(std::size_t end) const {
    std::vector<uint8_t> octets(pause_frame_octets);
    write_pause_trial(std::span<uint8_t, pause_frame_octets>(octets), ends_[end].address,
                      mark_of(end));
    return octets;
}

std::vector<uint8_t> CableTrial::lldp_of(std::size_t end) const {
    std::string name = "sluice cable trial ";
    for (const uint16_t word : mark_of(end)) name += fmt::format("{:04x}", word);
    lldp::Lldpdu gone;
    gone.chassis_id = id_of(lldp::ChassisIdSubtype::local, name);
    gone.port_id = {static_cast<uint8_t>(lldp::PortIdSubtype::local), '1'};
    std::vector<uint8_t> octets(14);
    write_address(octets.data(), lldp_address);
    write_address(&octets[6], ends_[end].address);
    write_16(&octets[12], lldp_ether_type);
    lldp::write_shutdown(gone, octets);
    octets.resize(std::max(octets.size(), shortest_frame));
    return octets;
}

void CableTrial::send_round(const Send& send) {
    ++rounds_;
    if (rounds_ > most_rounds) return;
    for (std::size_t end = 0; end < ends_.size(); ++end) {
        if (pauses_ && send(ends_[end].port, pause_of(end))) ++from_[end].pauses_sent;
        if (send(ends_[end].port, lldp_of(end))) ++from_[end].lldp_sent;
    }
}

bool CableTrial::receive(PortIndex port, std::span<const uint8_t> frame) {
    for (std::size_t end = 0; end < ends_.size(); ++end) {
        const bool is_pause = begins_with(frame, pause_of(end));
        if (!is_pause && !begins_with(frame, lldp_of(end))) continue;
        // A frame that arrives at another port, or at its own, proves nothing about this cable.
        if (port == ends_[1 - end].port) ++(is_pause ? from_[end].pauses : from_[end].lldp);
        return true;
    }
    return false;
}

bool CableTrial::is_over() const {
    const auto all = [this](const Arrivals& arrivals) {
        return (arrivals.pauses > 0 || !pauses_) && arrivals.lldp > 0;
    };
    return rounds_ > most_rounds || std::ranges::all_of(from_, all);
}

Seen CableTrial::seen(std::size_t end) const {
    assert(end < from_.size());
    const Arrivals& in = from_[1 - end];
    return {.receives = in.pauses > 0, .sends = from_[end].pauses > 0, .lldp = in.lldp > 0};
}

}  // namespace sluice::control
