// Attached: whose XDP program is on an interface already, before one of ours may be.
//
// Ours are held by a link (program.h), and so end with their process, also where that was killed.
// The kernel takes a moment for it, which is waited for: a second at the most. Any other program is
// left in place, and the port is refused by an error with its name, its id and the command that
// detaches it; without CAP_SYS_ADMIN the name is missing.
#pragma once

#include <optional>
#include <string>

#include "pmd_glue/error.h"

namespace sluice::pmd::xdp {

// Of our program, as the kernel has it.
inline constexpr const char* program_name = "sluice_xdp";

// `key`: what the operator calls the interface, for the error.
std::optional<Error> check_nothing_attached(const std::string& key, const std::string& interface);

}  // namespace sluice::pmd::xdp
