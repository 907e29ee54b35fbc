// Tree: what traced frames met, for people: a step a line, with what an output did below it.
//
// Bound: a line a step. Control characters of whatever sluiced says are escaped.
#pragma once

#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

std::string render_trace(const Json& traced);
std::string render_what_if(const Json& answer);

}  // namespace sluice::cli
