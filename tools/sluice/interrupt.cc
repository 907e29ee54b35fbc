#include "tools/sluice/interrupt.h"

#include <atomic>

namespace sluice::cli {

namespace {

std::atomic<bool> has_come = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler may set it");

}  // namespace

Interrupt::Interrupt() {
    has_come = false;
    struct sigaction remember {};
    remember.sa_handler = [](int) { has_come = true; };
    // A write that a signal interrupts is restarted; the next signal has its default effect.
    remember.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &remember, &int_before_);
    sigaction(SIGTERM, &remember, &term_before_);
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &int_before_, nullptr);
    sigaction(SIGTERM, &term_before_, nullptr);
}

bool Interrupt::came() { return has_come; }

}  // namespace sluice::cli
