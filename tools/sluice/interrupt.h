// Interrupt: while an object exists, SIGINT and SIGTERM end a long run with its results so far.
//
// The first signal of a kind is only remembered; the second ends the program at once, by the
// default action. One object at a time.
#pragma once

#include <csignal>

namespace sluice::cli {

class Interrupt {
  public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    // Any thread may call it.
    [[nodiscard]] static bool came();

  private:
    struct sigaction int_before_ {};
    struct sigaction term_before_ {};
};

}  // namespace sluice::cli
