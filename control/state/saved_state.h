// SavedState: the state that survives a restart, learned addresses and counters of ports, and its
// text form, the file `state.json`.
//
// The text is JSON: `{"checksum": C, "version": 2, "saved_at": S, "places": [...], "fdb": [...],
// "counters": [...]}`. The text is parsed as a whole or refused as a whole. Version 1, of older
// sluiced's, has no checksum (checksum.h) and is read as well. A place is a port, with its device,
// or an aggregation; the other lists name it by its position among the places. The addresses of one
// place in one VLAN are one string with 20 hexadecimal digits for each: the address and its age in
// seconds.
// Bound: `most_addresses`, `most_places`, `most_counts` for each port, `longest_state` octets.
// Not done here: the file (state_file.h), deciding what may be restored (learned.h,
// show/restored_counters.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

inline constexpr std::size_t most_addresses = std::size_t{1} << 20;  // the largest `fdb.capacity`
inline constexpr std::size_t most_places = 2 * max_ports;
inline constexpr std::size_t most_counts = 1024;
inline constexpr std::size_t longest_state = 64 * 1024 * 1024;

struct SavedPlace {
    std::string name;
    std::string device;  // device as in the configuration; empty: the place is an aggregation

    friend bool operator==(const SavedPlace&, const SavedPlace&) = default;
};

struct SavedAddress {
    MacAddress address;
    uint32_t age_s = 0;

    friend bool operator==(const SavedAddress&, const SavedAddress&) = default;
};

// Whether the state can hold the address: it is an individual address, and frames can be in the
// VLAN.
bool can_be_saved(FormatFamily family, VlanId vlan, MacAddress address);

struct SavedAddresses {
    std::size_t place = 0;  // position in SavedState::places
    FormatFamily family = FormatFamily::ethernet;
    VlanId vlan = 1;
    std::vector<SavedAddress> addresses;

    friend bool operator==(const SavedAddresses&, const SavedAddresses&) = default;
};

struct SavedCount {
    uint64_t total = 0;  // since the first start
    uint64_t shown = 0;  // since the last `clear counters`

    friend bool operator==(const SavedCount&, const SavedCount&) = default;
};
using Counts =
    std::map<std::string, SavedCount, std::less<>>;  // by the names of show/restored_counters.h

struct SavedCounters {
    std::size_t place = 0;
    Counts counts;

    friend bool operator==(const SavedCounters&, const SavedCounters&) = default;
};

struct SavedState {
    int64_t saved_at = 0;  // seconds since 1970
    std::vector<SavedPlace> places;
    std::vector<SavedAddresses> fdb;
    std::vector<SavedCounters> counters;  // by place

    // Returns the state, or the error that the text is damaged or that its version is newer.
    static tl::expected<SavedState, std::string> read(std::string_view text);
    [[nodiscard]] std::string text() const;
    // Returns the position of a place, which is added if it is new.
    std::size_t place_of(const SavedPlace& place);

    friend bool operator==(const SavedState&, const SavedState&) = default;
};

}  // namespace sluice::control
