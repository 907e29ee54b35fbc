// AtomicFile: writes files that all readers, on any machine, see whole or not at all: written
// beside their place, and moved into it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::cli {

// Why it could not be written; empty: it was.
std::string write_atomically(const std::filesystem::path& path, std::string_view text);
// Returns nothing if the file does not exist, cannot be read, or is longer than `longest`.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t longest);

}  // namespace sluice::cli
