// Confirmation: rolls settings back unless they are confirmed in time, for operators who might cut
// off their own access (Junos: commit confirmed).
//
// The rollback restores the configuration from before the first unconfirmed change. A change that
// is adopted without a confirmation confirms the earlier ones.
// Bound: one configuration's text.
// Not done here: adopting (daemon/configurations.h).
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
        std::string file;  // what messages call it
        std::string text;
    };
    // `go_back` is called once the time is over, with what ran before.
    Confirmation(Loop& loop, std::function<void(const Text&)> go_back);

    // Others run now than `before`: to be confirmed within that time, or for good.
    void adopted(Text before, std::optional<std::chrono::seconds> within);
    // Returns false if nothing was to be confirmed.
    bool confirm();
    // Whether the running configuration is rolled back unless it is confirmed.
    [[nodiscard]] bool waits() const { return before_.has_value(); }

  private:
    Loop& loop_;
    std::function<void(const Text&)> go_back_;
    std::optional<Text> before_;  // while it may go back
    Loop::SourcePointer timer_;
};

}  // namespace sluice::control
