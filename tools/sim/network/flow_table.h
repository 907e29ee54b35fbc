// FlowTable: a host's state for each received flow, by the flow's number.
//
// Open addressing: usually one cache line for a frame, where a map of nodes takes three. Bound:
// memory for twice the received flows or more. No flow may have number UINT32_MAX.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::sim {

template <class Thing>
class FlowTable {
  public:
    // Returns the flow's value; for a new flow, a default value. The reference is valid until
    // another flow is added.
    Thing& operator[](uint32_t flow) {
        if (used_ * 2 >= places_.size()) [[unlikely]]
            grow();
        Place& place = find(flow);
        used_ += place.flow == flow ? 0 : 1;
        place.flow = flow;
        return place.thing;
    }

  private:
    static constexpr uint32_t nobody = UINT32_MAX;
    static constexpr std::size_t fewest = 16;

    struct Place {
        Thing thing{};
        uint32_t flow = nobody;
    };

    Place& find(uint32_t flow) {
        const std::size_t mask = places_.size() - 1;
        std::size_t at = flow * std::size_t{0x9E37'79B9} >> 16 & mask;
        while (places_[at].flow != flow && places_[at].flow != nobody) at = (at + 1) & mask;
        return places_[at];
    }
    [[gnu::noinline]] void grow() {
        std::vector<Place> before(std::max(fewest, places_.size() * 2));
        before.swap(places_);
        for (const Place& place : before) {
            if (place.flow != nobody) find(place.flow) = place;
        }
    }

    std::vector<Place> places_;  // the size is a power of two
    std::size_t used_ = 0;
};

}  // namespace sluice::sim
