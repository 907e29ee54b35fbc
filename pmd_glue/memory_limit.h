// Memory limit: whether a limit of this process is what memory ran out by, which otherwise looks as
// if the machine had too little of it.
//
// RLIMIT_AS (`ulimit -v`) bounds addresses, of which EAL reserves 128 GiB for huge pages before it
// takes any; RLIMIT_DATA (`ulimit -d`) bounds memory of the process's own.
// Not done here: control groups, which are compared before anything is taken (config/memory.h), and
// RLIMIT_MEMLOCK, which has a failure of its own.
#pragma once

#include <string>

namespace sluice::pmd {

// Names the limit and the command that lifts it. Empty: there is none.
std::string remedy_for_memory_limit();

}  // namespace sluice::pmd
