// Confirmation: rolls settings back unless they are confirmed in time, for operators who might cut
// off their own access (Junos: commit confirmed).
//
// The rollback restores the configuration from before the first unconfirmed change. A change that
// needs no confirmation confirms the earlier changes.
// Bound: one configuration's text.
// Not done here: adopting configurations (daemon/configurations.h).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "control/loop.h"

namespace sluice::control {

class Confirmation {
  public:
    struct Text {
        std::string file;  // name of the configuration in messages
        std::string text;
    };
    // `go_back` is called when the time is over, with the configuration to restore.
    Confirmation(Loop& loop, std::function<void(const Text&)> go_back);

    // Called when a configuration replaced `before`. `within`: the time in which the new
    // configuration has to be confirmed; empty: the new configuration needs no confirmation.
    void adopted(Text before, std::optional<std::chrono::seconds> within);
    // Keeps the running configuration. Returns false if no confirmation was awaited.
    bool confirm();
    // Whether the running configuration is rolled back unless it is confirmed.
    [[nodiscard]] bool waits() const { return before_.has_value(); }

  private:
    Loop& loop_;
    std::function<void(const Text&)> go_back_;
    std::optional<Text> before_;  // set while a rollback is possible
    Loop::SourcePointer timer_;
};

}  // namespace sluice::control
