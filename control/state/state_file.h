// State file: one of the state folder, `control.state`, so that its text outlasts a restart.
//
// Read whole or refused: what is no regular file, longer than it may be, or another user's. Written
// anew whole, beside the old one and then in its place, on the disk before that, readable for its
// owner alone. The folder is made where there is something to keep. Nothing in its place is waited
// for or followed elsewhere. No two processes are to have one folder: the last wins.
// Bound: `longest` octets.
// Not done here: what is in it (proof/proofs.h, saved_state.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::control {

class StateFile {
  public:
    // In the folder, by this name.
    StateFile(const std::string& folder, std::string_view name, std::size_t longest)
        : folder_(folder), path_(folder + '/' + std::string(name)), longest_(longest) {}

    struct Content {
        bool is_there = false;
        std::string unreadable = {};  // why it cannot be read
        std::string refused = {};     // why it is not to be read: such as `too long`
        std::string text = {};
    };
    [[nodiscard]] Content read() const;
    // Out of the way, as `path` and the suffix; what became of it, in words.
    [[nodiscard]] std::string set_aside(std::string_view suffix) const;
    // Empty, or which file cannot be written and why; one that cannot be read is not replaced.
    [[nodiscard]] std::string write(std::string_view text) const;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string folder_;
    std::string path_;
    std::size_t longest_;
};

}  // namespace sluice::control
