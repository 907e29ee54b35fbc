// IfIndex: the number by which SNMP and sFlow name a port or an aggregation (RFC 2863, ifIndex).
//
// The number is a hash of the name alone, so it stays the same over restarts, and when ports are
// added, removed or moved; a renamed port gets another number. The number is above the numbers of
// Linux interfaces, and below 2^24, the limit of compact samples of sFlow 5. Of two names with the
// same hash, the later in the alphabet has the next free number while both exist: among a thousand
// switches with 128 names there is one such pair.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <string_view>

namespace sluice::control {

using IfIndices = std::map<std::string, uint32_t, std::less<>>;  // by name

inline constexpr uint32_t first_if_index = 1U << 23;
inline constexpr uint32_t if_index_count = 1U << 23;

// Returns the folded FNV-1a hash (Fowler, Noll and Vo; draft-eastlake-fnv).
constexpr uint32_t hashed_if_index(std::string_view name) {
    uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char octet : name) {
        hash = (hash ^ static_cast<unsigned char>(octet)) * 0x100'0000'01B3;
    }
    return first_if_index + static_cast<uint32_t>((hash ^ hash >> 32) % if_index_count);
}

inline IfIndices if_indices(const std::set<std::string>& names) {
    IfIndices indices;
    std::set<uint32_t> taken;
    for (const std::string& name : names) {
        uint32_t index = hashed_if_index(name);
        while (!taken.insert(index).second) {
            index = first_if_index + (index - first_if_index + 1) % if_index_count;
        }
        indices.emplace(name, index);
    }
    return indices;
}

// Returns the indices of the ports and of their aggregations. A port has the members `name`,
// `aggregation` (empty: none) and `vacant`.
template <std::ranges::input_range Ports>
IfIndices if_indices_of(const Ports& ports) {
    std::set<std::string> names;
    for (const auto& port : ports) {
        if (port.vacant) continue;
        names.insert(port.name);
        if (!port.aggregation.empty()) names.insert(port.aggregation);
    }
    return if_indices(names);
}

}  // namespace sluice::control
