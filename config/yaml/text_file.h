// TextFile: reads a whole file. Bound: reads at most one octet more than `most`, so that the caller
// detects a file that is too long. This also holds for a device without an end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace sluice::config {

enum class FileKind : uint8_t {
    regular,  // regular files only, since reading a pipe without a writer would block
    any,      // also pipes, terminals and devices: `sluice check <(generate)`
};

// Returns the text, or the reason why it cannot be read, as a fault prints it.
tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t most,
                                                      FileKind kind);

}  // namespace sluice::config
