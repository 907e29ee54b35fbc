// Runtime folder: removes the folder that EAL makes for each process and never removes:
// /run/dpdk/PREFIX, or below XDG_RUNTIME_DIR or /tmp for other users than root. A sluice process
// removes its folder when it ends; the next one removes those of killed processes.
//
// A folder is removed only if this user owns it, its name contains the id of a process that has
// ended, and its `config` is not locked: EAL keeps it locked while it runs.
// Bound: with --in-memory or --no-shconf EAL locks nothing, but also stores nothing there: the
// folder of a process in another PID namespace may be removed early, without harm. If EAL shares
// its memory, its folder has no lock for an instant after it was made.
#pragma once

#include <string>

namespace sluice::pmd {

// Returns the value for EAL's --file-prefix, unique to this process.
std::string own_prefix();

// Call them after EAL has made the folders. `ours`: the whole path of this process's folder, which
// is not removed if its name is not `own_prefix`. `beside`: a path in the folder to search.
void remove_own_runtime_folder(const std::string& ours);
void remove_runtime_folders_of_the_dead(const std::string& beside);

}  // namespace sluice::pmd
