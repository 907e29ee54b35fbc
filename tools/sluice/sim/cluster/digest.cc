#include "tools/sluice/sim/cluster/digest.h"

#include <fmt/format.h>

namespace sluice::cli {

Digest& Digest::add(std::string_view part) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
        mix(static_cast<unsigned char>(uint64_t{part.size()} >> shift));
    }
    for (const char letter : part) mix(static_cast<unsigned char>(letter));
    return *this;
}

std::string Digest::text() const { return fmt::format("{:016x}", state_); }

}  // namespace sluice::cli
