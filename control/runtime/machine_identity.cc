#include "control/runtime/machine_identity.h"

#include <systemd/sd-id128.h>
#include <unistd.h>

#include <array>

#include "dataplane/forward/hash.h"

namespace sluice::control {
namespace {

// Drawn at random for this program; other programs derive other numbers from the same machine.
constexpr sd_id128_t application =
    SD_ID128_MAKE(5f, 0c, 8e, 41, 2b, 7d, 4a, 93, 9e, 16, c3, 58, a4, 70, d2, 1b);

uint64_t of_machine() {
    sd_id128_t machine{};
    if (sd_id128_get_machine_app_specific(application, &machine) == 0) {
        return machine.qwords[0] ^ machine.qwords[1];
    }
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return 0;
    return hash_of(std::string_view(name.data()), 0);
}

}  // namespace

uint64_t machine_identity(std::string_view socket) { return hash_of(socket, of_machine()); }

}  // namespace sluice::control
