// StateFile: one file of the state folder, `control.state`, read and replaced safely.
//
// It is read as a whole or refused: if it is not a regular file, too long, or owned by another
// user. Writing makes a new file beside the old one, syncs it to disk and renames it over the old
// one; only its owner may read it. The folder is created at the first write. Reading neither
// follows a symbolic link nor blocks on a pipe. Two processes should not share one folder: the
// last to write wins.
// Bound: `longest` octets.
// Not done here: the content (proof/proofs.h, saved_state.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::control {

class StateFile {
  public:
    // `name`: in the folder. `longest`: octets.
    StateFile(const std::string& folder, std::string_view name, std::size_t longest)
        : folder_(folder), path_(folder + '/' + std::string(name)), longest_(longest) {}

    struct Content {
        bool is_there = false;
        std::string unreadable = {};  // if reading failed: why
        std::string refused = {};     // if it must not be read: why, such as `too long`
        std::string text = {};
    };
    [[nodiscard]] Content read() const;
    // Renames it to `path` with the suffix. Returns what was done, as text for the event log.
    [[nodiscard]] std::string set_aside(std::string_view suffix) const;
    // Returns empty text, or which file cannot be written and why. A file that cannot be read is
    // not replaced.
    [[nodiscard]] std::string write(std::string_view text) const;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string folder_;
    std::string path_;
    std::size_t longest_;
};

}  // namespace sluice::control
