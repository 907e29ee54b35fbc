// ReplacedFile: a file whose content is replaced at once, so that who reads it, and a machine whose
// power fails, finds the old or the new one: written and synced beside it, then moved into its
// place. Mode, owner and group stay; a symbolic link is followed.
//
// Bound: 1 MiB. Between the last look at the file and the move lies an instant in which a change by
// somebody else would be lost. Access lists and other extended attributes do not come along.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::cli {

class ReplacedFile {
  public:
    // Or why it cannot be read, a line with a remedy.
    static tl::expected<ReplacedFile, std::string> read(const std::string& path);

    [[nodiscard]] const std::string& text() const { return text_; }
    // Why it was not; empty: it holds `text`.
    [[nodiscard]] std::string replace(std::string_view text) const;

  private:
    std::string path_;  // without symbolic links
    std::string text_;
    struct stat about_ {};
};

}  // namespace sluice::cli
