// PausePeers: the stations whose pause frames a port obeys: any station, or only named ones.
//
// Bound: `most` stations, compared one after the other, for pause frames only. A port that obeys
// only named stations and has no names obeys no pause. Not done here: choosing the stations, by
// configuration or by LLDP (control/publish.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/address.h"

namespace sluice {

class PausePeers {
  public:
    static constexpr std::size_t most = 16;  // 4 configured, and 3 of each of 4 LLDP neighbours

    // Obeys only named stations from now on.
    void obey_named_alone() { anybody_ = false; }
    // Adds a station. The station is ignored if there is no room.
    void name(MacAddress station) {
        anybody_ = false;
        if (count_ < most && std::ranges::find(named(), station) == named().end()) {
            stations_[count_++] = station;
        }
    }

    [[nodiscard]] bool anybody() const { return anybody_; }
    [[nodiscard]] std::span<const MacAddress> named() const {
        return std::span(stations_).first(count_);
    }
    [[nodiscard]] bool obeys(MacAddress source) const {
        return anybody_ || std::ranges::find(named(), source) != named().end();
    }

    friend bool operator==(const PausePeers&, const PausePeers&) = default;

  private:
    bool anybody_ = true;
    uint8_t count_ = 0;
    std::array<MacAddress, most> stations_{};
};

}  // namespace sluice
