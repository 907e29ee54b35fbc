// Save: the running configuration into the file that sluiced was started with, with the comments
// that it has and the rights of who calls it.
//
// Refused: while what runs waits to be confirmed, and where the file is not as sluiced knew it, so
// that nothing that somebody else wrote is lost.
#pragma once

#include <array>
#include <string>

#include "tools/sluice/replaced_file.h"

namespace sluice::cli {

int save(const std::string& socket, bool json);

// Puts the text into the file, where it is another, and says what differs; what to exit with.
// `names` are those of old and new values in JSON.
int print_saved(const std::string& path, const ReplacedFile& file, const std::string& text,
                std::array<const char*, 2> names, bool json);

}  // namespace sluice::cli
