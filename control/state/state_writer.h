// State writer: writes the saved state: again and again in the background while the switch runs,
// and a last time when it stops. The last waits for what is under way, and nothing comes after it.
// Any thread. Bound: a text at a time.
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

    // Empty, or which file cannot be written and why.
    std::string write(std::string_view text) {
        const std::scoped_lock one_at_a_time(writing_);
        return over_ ? std::string() : file_.write(text);
    }
    std::string write_last(std::string_view text) {
        const std::scoped_lock one_at_a_time(writing_);
        over_ = true;
        return file_.write(text);
    }

  private:
    StateFile file_;
    std::mutex writing_;
    bool over_ = false;
};

}  // namespace sluice::control
