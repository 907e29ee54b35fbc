// Mismatch: the reasons why the two ends of a link do not fit in a feature, by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice::dcbx {

enum class Mismatch : uint8_t {
    differs,     // the values do not fit, and no end is about to follow
    missing,     // CEE: the peer sends DCBX without this feature
    peer_error,  // CEE: the peer reports that this feature is in error
    capability,  // PFC: in force in more traffic classes than the peer can pause at a time
    last = capability
};

constexpr std::string_view name(Mismatch mismatch) {
    constexpr std::array<std::string_view, 4> names = {"differs", "missing", "peer_error",
                                                       "capability"};
    static_assert(names.size() == count_of<Mismatch>);
    return names[static_cast<std::size_t>(mismatch)];
}

}  // namespace sluice::dcbx
