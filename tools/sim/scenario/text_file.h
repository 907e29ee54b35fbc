// TextFile: all of a file that is read at once.
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

namespace sluice::sim {

// At most one octet more than `most`, so that who reads it sees that it is too long; or why not.
// Files only: nothing that one could wait for.
tl::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t most);

}  // namespace sluice::sim
