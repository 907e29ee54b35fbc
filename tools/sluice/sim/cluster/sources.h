// Sources: which simulator this is: a digest of the sources that decide about a run's numbers
// (`digest_sources` writes it as C++). Programs of one digest give the same numbers, whatever
// machine they were built for.
#pragma once

#include <string_view>

namespace sluice::cli {

extern const std::string_view simulator_sources;

}  // namespace sluice::cli
