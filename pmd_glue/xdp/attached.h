// Attached: checks whether an XDP program is on an interface before our own is attached.
//
// A link holds our program (program.h), so the kernel detaches it when its process ends or is
// killed. The check waits at most a second until that is done. Any other program is left in place,
// and the port is refused with an error that gives the program's name, its id and the command that
// detaches it; without CAP_SYS_ADMIN the name is missing.
#pragma once

#include <optional>
#include <string>

#include "pmd_glue/error.h"

namespace sluice::pmd::xdp {

// The name of our program in the kernel.
inline constexpr const char* program_name = "sluice_xdp";

// `key`: the operator's name of the interface, for the error.
std::optional<Error> check_nothing_attached(const std::string& key, const std::string& interface);

}  // namespace sluice::pmd::xdp
