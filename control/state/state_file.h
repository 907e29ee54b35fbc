// StateFile: one file of the state folder, `control.state`, read and replaced safely.
//
// Each switch has its own: `state.json` is the file of the switch with the default socket; for a
// switch with another `control.socket` the file's name has the socket's name and a hash of its
// path. Switches with the same socket path, in containers that share the folder, are kept apart by
// a lock on the file with the suffix `.lock`: the second switch neither reads nor writes. A switch
// with another socket that has no file yet reads `state.json` if that file has no checksum
// (checksum.h): such a file was written by an older sluiced, which used this name for every switch.
// The file is read as a whole, or refused if it is not a regular file, is too long, or is owned by
// another user. Writing makes a new file in the same folder, syncs it to disk and renames it over
// the old one; only its owner may read it. The folder is created at the first write. Reading
// neither follows a symbolic link nor blocks on a pipe.
// Bound: `longest` octets.
// Not done here: the content (proof/proofs.h, saved_state.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "config/configuration.h"

namespace sluice::control {

// Returns the file's name, such as `state.json` for the `kind` "state".
std::string state_file_name(std::string_view kind, std::string_view socket);

// The descriptor of an open file, closed by its destructor.
class StateDescriptor {
  public:
    StateDescriptor() = default;
    StateDescriptor(const std::string& path, int flags, unsigned mode = 0);
    StateDescriptor(StateDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    StateDescriptor& operator=(StateDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~StateDescriptor();
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_ = -1;
};

class StateFile {
  public:
    // `name`: the file's name in the folder. `longest`: the largest length of the file, in octets.
    StateFile(const std::string& folder, std::string_view name, std::size_t longest)
        : folder_(folder), path_(folder + '/' + std::string(name)), longest_(longest) {}
    // Returns the file of a switch; `kind` as for state_file_name.
    static StateFile of(const config::ControlConfig& control, std::string_view kind,
                        std::size_t longest);

    struct Content {
        bool is_there = false;
        std::string unreadable = {};  // why reading failed; empty: reading did not fail
        std::string refused = {};     // why the file must not be read, such as `too long`
        std::string text = {};
        std::string path = {};  // path of the file that was read, perhaps that of an older sluiced
    };
    [[nodiscard]] Content read() const;
    // Claims the file for this process until this object is destroyed. If the folder does not exist
    // yet, the first write claims it. Returns empty text, or the reason if another switch has
    // claimed it.
    [[nodiscard]] std::string claim();
    // Renames the file that was read: appends the suffix. Returns what was done, as text for the
    // event log.
    [[nodiscard]] static std::string set_aside(const Content& content, std::string_view suffix);
    // Replaces the file. Returns empty text, or which file cannot be written and why. A file that
    // cannot be read is not replaced.
    [[nodiscard]] std::string write(std::string_view text);

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string folder_;
    [[nodiscard]] Content read_from(const std::string& path) const;

    std::string path_;
    std::string older_;  // path of the file to read if there is no file at `path_`; empty: none
    std::size_t longest_;
    StateDescriptor lock_;
};

}  // namespace sluice::control
