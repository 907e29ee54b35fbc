#include "control/show/version.h"

#include <sys/utsname.h>

#include <string>

#include "config/version.h"
#include "control/cpu_level.h"

namespace sluice::control {

Json version_snapshot(const View& view, bool) {
    utsname system{};
    ::uname(&system);
    return {{"version", version()},
            {"dpdk", view.dpdk},
            {"compiler", compiler()},
            {"cpu_level", built_for()},
            {"kernel", std::string(system.sysname) + ' ' + system.release}};
}

}  // namespace sluice::control
