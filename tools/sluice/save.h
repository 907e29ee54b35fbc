// Save: writes the running configuration, with its comments, into the file with which sluiced was
// started. Uses the caller's rights.
//
// Saving is refused while the running configuration waits for a confirmation, and if sluiced does
// not know the file's present text, so that no change by others is lost.
#pragma once

#include <array>
#include <string>

#include "tools/sluice/replaced_file.h"

namespace sluice::cli {

int save(const std::string& socket, bool json);

// Writes the text into the file, if it differs, and prints the differences; returns the exit
// status. `names`: the names of old and new values in JSON.
int print_saved(const std::string& path, const ReplacedFile& file, const std::string& text,
                std::array<const char*, 2> names, bool json);

}  // namespace sluice::cli
