// ReplacedFile: replaces the contents of a file atomically, so that readers, also after a power
// failure, find the old or the new contents: a new file is written and synced in the same folder,
// then renamed to the old one. Mode, owner and group stay; a symbolic link is followed.
//
// Bound: 1 MiB. A change by another program between the last check of the file and the move would
// be lost. Access lists and other extended attributes are not kept.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::cli {

class ReplacedFile {
  public:
    // Reads the file. On failure returns the reason, a line with a remedy.
    static tl::expected<ReplacedFile, std::string> read(const std::string& path);

    [[nodiscard]] const std::string& text() const { return text_; }
    // Replaces the contents by `text`. Returns why it failed; empty if it did not.
    [[nodiscard]] std::string replace(std::string_view text) const;

  private:
    std::string path_;  // without symbolic links
    std::string text_;
    struct stat about_ {};
};

}  // namespace sluice::cli
