// Tree: the output of traced frames for people: one step a line, with the steps of an output below
// it.
//
// Bound: one line a step. Control characters in sluiced's texts are escaped.
#pragma once

#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

std::string render_trace(const Json& traced);
std::string render_what_if(const Json& answer);

}  // namespace sluice::cli
