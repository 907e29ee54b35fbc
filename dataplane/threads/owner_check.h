// OwnerCheck: asserts that only one thread calls the objects of a worker. The thread that calls
// first, after the constructor or after `hand_over`, is the owner.
// Bound: no cost if assertions are off; else a comparison a call.
#pragma once

#include <cassert>

namespace sluice {

class OwnerCheck {
  public:
    // The next thread that calls becomes the owner. To be called by the present owner, or while no
    // other thread calls.
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
