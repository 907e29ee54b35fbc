// Interrupt: lets SIGINT and SIGTERM end a long run with what it has, while one of these lives.
//
// The first of a kind is only remembered; the second ends the program at once, as if nobody had
// listened. One at a time.
#pragma once

#include <csignal>

namespace sluice::cli {

class Interrupt {
  public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    // From any thread.
    [[nodiscard]] static bool came();

  private:
    struct sigaction int_before_ {};
    struct sigaction term_before_ {};
};

}  // namespace sluice::cli
