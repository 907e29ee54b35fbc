// StateWriter: writes the saved state: repeatedly in the background while the switch runs, and a
// last time when it stops. The last write waits for a write that is under way. Later calls of
// `write` do nothing.
// Threads: all calls are safe from any thread.
// Bound: one text at a time.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "control/state/state_file.h"

namespace sluice::control {

class StateWriter {
  public:
    explicit StateWriter(StateFile file) : file_(std::move(file)) {}

    // Returns the file, to be claimed and read before the first write.
    [[nodiscard]] StateFile& file() { return file_; }

    // Both return empty text, or which file cannot be written and why.
    std::string write(std::string_view text) {
        const std::scoped_lock one_at_a_time(writing_);
        return closed_ ? std::string() : file_.write(text);
    }
    std::string write_last(std::string_view text) {
        const std::scoped_lock one_at_a_time(writing_);
        closed_ = true;
        return file_.write(text);
    }

  private:
    StateFile file_;
    std::mutex writing_;
    bool closed_ = false;
};

}  // namespace sluice::control
