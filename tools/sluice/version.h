// Version: the versions of this sluice and of the sluiced that answers, and whether they are equal.
#pragma once

#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

// Returns `show version` as text: sluiced's version, and a note if that of this sluice differs.
std::string version_view(const Json& sluiced);

// Prints the version of this program, and that of the switch at `socket` if one answers.
int print_version(const std::string& socket, bool json);

}  // namespace sluice::cli
