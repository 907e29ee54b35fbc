// TextFile: reads a whole file.
// Bound: reads at most one octet more than `most`, so that the caller sees that a file is too long,
// however long it is: a device may have no end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace sluice::config {

enum class FileKind : uint8_t {
    regular,  // nothing else, since reading a pipe that nobody writes to would block
    any,      // pipes, terminals and devices as well: `sluice check <(generate)`
};

// Or why not, as a fault says it.
tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t most,
                                                      FileKind kind);

}  // namespace sluice::config
