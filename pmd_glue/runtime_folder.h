// Runtime folder: EAL makes a folder for each process, /run/dpdk/PREFIX (for other users than root
// below XDG_RUNTIME_DIR or /tmp), and never removes it. A sluice process removes its folder when it
// ends; the next one removes those of killed processes.
//
// A folder is removed only if this user owns it, its name contains the id of a process that is
// gone, and its `config` is not locked, which EAL keeps locked while it runs.
// Bound: with --in-memory or --no-shconf EAL locks nothing, but also keeps nothing there: the
// folder of a process in another PID namespace may be removed early, without harm. If EAL shares
// its memory, there is an instant between making the folder and locking its `config`.
#pragma once

#include <string>

namespace sluice::pmd {

// For EAL's --file-prefix: no other process's.
std::string own_prefix();

// Once EAL has made them. `ours`: the whole path; if it is not of that prefix it is left alone.
void remove_own_runtime_folder(const std::string& ours);
void remove_runtime_folders_of_the_dead(const std::string& beside);

}  // namespace sluice::pmd
