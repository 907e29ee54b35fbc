// CreditsView: what `sluice show credits` prints for people: what each priority may send and holds,
// and the updates of the ports.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string credits_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
