#include "control/show/port_history.h"

#include <algorithm>
#include <cmath>

namespace sluice::control {

namespace {

constexpr std::array<const char*, 4> keys = {"rx_bps", "tx_bps", "paused_share", "pausing_share"};

// Rounds rates to whole bits and shares to a thousandth, because more digits are of no use.
Json shown(float value, std::size_t key) {
    if (key < 2) return static_cast<uint64_t>(std::llround(std::max(value, 0.0F)));
    return std::round(static_cast<double>(value) * 1000) / 1000;
}

}  // namespace

void PortHistory::take(std::span<const Port> ports) {
    ++turn_;
    for (const Port& port : ports) {
        Track& track = tracks_[port.name];
        track.turn = turn_;
        add(track, port.second);
    }
    std::erase_if(tracks_, [this](const auto& known) { return known.second.turn != turn_; });
}

void PortHistory::add(Track& track, const std::optional<Second>& second) {
    if (second) {
        const std::array<double, 4> values = {second->rx_bps, second->tx_bps, second->paused,
                                              second->pausing};
        for (std::size_t key = 0; key < values.size(); ++key) {
            track.sum[key] += static_cast<float>(values[key]);
        }
        ++track.known;
    }
    if (++track.seconds < seconds_a_point) return;
    std::optional<Point>& point = track.ring[track.taken % points];
    point.reset();
    if (track.known > 0) {
        point = track.sum;
        for (float& value : *point) value /= static_cast<float>(track.known);
    }
    ++track.taken;
    track.sum = {};
    track.seconds = track.known = 0;
}

Json PortHistory::of(const std::string& port) const {
    Json history = {{"every_s", seconds_a_point}};
    for (const char* key : keys) history[key] = Json::array();
    const auto found = tracks_.find(port);
    if (found == tracks_.end()) return history;
    const Track& track = found->second;
    for (std::size_t at = track.taken - std::min(track.taken, points); at < track.taken; ++at) {
        const std::optional<Point>& point = track.ring[at % points];
        for (std::size_t key = 0; key < keys.size(); ++key) {
            history[keys[key]].push_back(point ? shown((*point)[key], key) : Json());
        }
    }
    return history;
}

}  // namespace sluice::control
