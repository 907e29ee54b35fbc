// Runtime folder: EAL makes one for each process, /run/dpdk/PREFIX (below XDG_RUNTIME_DIR or /tmp
// for who is not root), and never removes it. Ours go when they end, and those of killed ones when
// the next one starts.
//
// Only folders go that this user owns, whose name has the id of a process that is no more and whose
// `config` nobody has locked, as EAL has for as long as it runs.
// Bound: EAL locks nothing with --in-memory or --no-shconf, but then keeps nothing there either: of
// a process in another PID namespace such a folder may go early, and nobody misses it. Where EAL
// shares its memory, there is an instant between making the folder and locking its `config`.
#pragma once

#include <string>

namespace sluice::pmd {

// For EAL's --file-prefix: no other process's.
std::string own_prefix();

// Once EAL has made them. `ours`: the whole path; if it is not of that prefix it is left alone.
void remove_own_runtime_folder(const std::string& ours);
void remove_runtime_folders_of_the_dead(const std::string& beside);

}  // namespace sluice::pmd
