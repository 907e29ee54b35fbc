// Version: which sluice this is, which sluiced answers, and whether they are the same.
#pragma once

#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

// `show version` as text: sluiced's, and a word where this sluice is another.
std::string version_view(const Json& sluiced);

// `sluice version`: this program's, and that of the switch at `socket` if one answers.
int print_version(const std::string& socket, bool json);

}  // namespace sluice::cli
