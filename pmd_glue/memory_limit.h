// Memory limit: finds out whether memory ran out because of a limit of this process, which
// otherwise looks like too little memory in the machine.
//
// RLIMIT_AS (`ulimit -v`) bounds addresses, of which EAL reserves 128 GiB for huge pages before it
// takes any; RLIMIT_DATA (`ulimit -d`) bounds private memory.
// Not done here: control groups, which are checked before any allocation (config/memory.h), and
// RLIMIT_MEMLOCK, whose failure looks different.
#pragma once

#include <string>

namespace sluice::pmd {

// Returns the memory limits that are set for this process, with the commands that lift them; empty
// if there are none.
std::string remedy_for_memory_limit();

}  // namespace sluice::pmd
