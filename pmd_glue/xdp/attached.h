// Attached: checks for an XDP program on an interface before our own is attached.
//
// Our programs are held by a link (program.h), and so end with their process, even if it was
// killed. The kernel takes a moment for that, which is waited for, at most a second. Any other
// program is left in place, and the port is refused with an error that gives the program's name,
// its id and the command that detaches it; without CAP_SYS_ADMIN the name is missing.
#pragma once

#include <optional>
#include <string>

#include "pmd_glue/error.h"

namespace sluice::pmd::xdp {

// The name of our program in the kernel.
inline constexpr const char* program_name = "sluice_xdp";

// `key`: what the operator calls the interface, for the error.
std::optional<Error> check_nothing_attached(const std::string& key, const std::string& interface);

}  // namespace sluice::pmd::xdp
