// Fault: the kinds of fault in a TLV, by name, and their counts.
//
// A TLV with a fault is ignored, and the rest of the frame is processed; an entry of an application
// table with a fault is left out of its table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice::dcbx {

enum class Fault : uint8_t {
    length,           // a length that this TLV cannot have
    traffic_class,    // a priority in a class that does not exist, or too many classes
    bandwidth,        // percentages that do not sum up to 100
    selection,        // an unknown transmission selection algorithm
    table_length,     // not a whole number of entries
    selector,         // an entry with an unknown selector; the entry is ignored
    protocol,         // an entry with a number that its selector cannot have; the entry is ignored
    duplicate,        // a TLV that occurs twice; the first one counts
    other_dialect,    // a TLV of a dialect that the port does not use
    sub_tlv_overrun,  // CEE: a sub-TLV that exceeds its TLV
    sub_tlv_length,   // CEE: a length that this sub-TLV cannot have
    control_missing,  // CEE: features without the Control sub-TLV
    version,          // CEE: an operating version other than 0
    many_neighbours,  // a second neighbour sends DCBX; all such neighbours are ignored
    not_classified,   // an entry with a selector that the switch cannot use; the entry is ignored
    table_full,       // an entry for which the table has no room; the entry is ignored
    last = table_full
};

inline constexpr std::array<std::string_view, 16> fault_names = {
    "length",        "traffic_class",   "bandwidth",      "selection",
    "table_length",  "selector",        "protocol",       "duplicate",
    "other_dialect", "sub_tlv_overrun", "sub_tlv_length", "control_missing",
    "version",       "many_neighbours", "not_classified", "table_full",
};
static_assert(fault_names.size() == count_of<Fault>);

// Whether the peer causes the fault, not a limit of this switch.
constexpr bool is_of_peer(Fault fault) {
    return fault != Fault::other_dialect && fault != Fault::many_neighbours &&
           fault != Fault::not_classified && fault != Fault::table_full;
}

constexpr std::string_view name(Fault fault) {
    return fault_names[static_cast<std::size_t>(fault)];
}

class FaultCounters {
  public:
    void count(Fault fault) { ++counts_[static_cast<std::size_t>(fault)]; }
    void add(const FaultCounters& more) {
        for (std::size_t at = 0; at < counts_.size(); ++at) counts_[at] += more.counts_[at];
    }
    [[nodiscard]] uint64_t operator[](Fault fault) const {
        return counts_[static_cast<std::size_t>(fault)];
    }
    [[nodiscard]] uint64_t total() const {
        uint64_t sum = 0;
        for (const uint64_t count : counts_) sum += count;
        return sum;
    }
    friend bool operator==(const FaultCounters&, const FaultCounters&) = default;

  private:
    std::array<uint64_t, fault_names.size()> counts_{};
};

}  // namespace sluice::dcbx
