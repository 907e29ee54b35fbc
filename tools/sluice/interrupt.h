// Interrupt: while an object exists, SIGINT and SIGTERM end a long run early, and the run returns
// its results until then.
//
// The first signal of a kind only sets a flag; the second ends the program at once, by the default
// action. One object at a time.
#pragma once

#include <csignal>

namespace sluice::cli {

class Interrupt {
  public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    // Whether a signal was received. Any thread may call this.
    [[nodiscard]] static bool came();

  private:
    struct sigaction int_before_ {};
    struct sigaction term_before_ {};
};

}  // namespace sluice::cli
