#include "control/show/noun_snapshots.h"

#include <sys/utsname.h>

#include <chrono>
#include <string>

#include "config/version.h"
#include "control/cpu_level.h"

namespace sluice::control {

Json version_snapshot(const View& view, bool) {
    utsname system{};
    ::uname(&system);
    const auto up = std::chrono::steady_clock::now() - view.up_since.steady;
    return {{"version", version()},
            {"commit", commit()},
            {"dpdk", view.dpdk},
            {"compiler", compiler()},
            {"cpu_level", built_for()},
            {"cpu_supports", best_of_this_cpu()},
            {"kernel", std::string(system.sysname) + ' ' + system.release},
            {"host", std::string(system.nodename)},
            {"up_since", to_text(view.up_since.utc)},
            {"up_s", std::chrono::floor<std::chrono::seconds>(up).count()}};
}

}  // namespace sluice::control
