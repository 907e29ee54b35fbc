// Sources: identifies the simulator: a digest of the sources that determine a run's numbers
// (`digest_sources` writes it as C++). Programs with the same digest give the same numbers, on any
// machine.
#pragma once

#include <string_view>

namespace sluice::cli {

extern const std::string_view simulator_sources;

}  // namespace sluice::cli
