// CreditsView: the output of `sluice show credits` for people: for each priority the credit that it
// may use and the octets that it holds, and the updates of the ports.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string credits_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
