// Mismatch: why two ends of a link do not fit in a feature, by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::dcbx {

enum class Mismatch : uint8_t {
    differs,     // the ends are not alike, and nobody is about to follow
    missing,     // CEE: the peer speaks, but not of this
    peer_error,  // CEE: the peer says that it is in error about this
    capability,  // PFC: it holds in more traffic classes than the peer can pause at a time
};

constexpr std::string_view name(Mismatch mismatch) {
    constexpr std::array<std::string_view, 4> names = {"differs", "missing", "peer_error",
                                                       "capability"};
    return names[static_cast<std::size_t>(mismatch)];
}

}  // namespace sluice::dcbx
