// OwnerCheck: that one thread alone calls what belongs to a worker. The first call after the
// constructor, or after `hand_over`, says whose it is.
// Bound: nothing where assertions are off; else a comparison a call.
#pragma once

#include <cassert>

namespace sluice {

class OwnerCheck {
  public:
    // From now on it belongs to the thread that calls next. By whoever has it, or knows that nobody
    // is calling.
    void hand_over() { owner_ = nullptr; }
    void operator()() const {
#ifndef NDEBUG
        thread_local const char here = 0;
        if (owner_ == nullptr) owner_ = &here;
        assert(owner_ == &here && "called by another thread than its worker's");
#endif
    }

  private:
    mutable const char* owner_ = nullptr;
};

}  // namespace sluice
