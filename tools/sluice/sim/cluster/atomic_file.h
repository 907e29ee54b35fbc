// AtomicFile: writes files so that readers, on any machine, find a whole file or none: a file is
// written under another name in the same folder, and then renamed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::cli {

// Returns why the file could not be written; empty if it was.
std::string write_atomically(const std::filesystem::path& path, std::string_view text);
// Returns nothing if the file does not exist, cannot be read, or is longer than `longest`.
std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t longest);

}  // namespace sluice::cli
