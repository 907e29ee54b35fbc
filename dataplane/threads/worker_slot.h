// WorkerSlot: lets control give a worker an object to write to, such as a reel of the recorder
// (recorder/reel.h), and take it away again.
//
// The worker checks the slot once a poll. Control frees the object once `taken` shows that the
// worker has another, or none; neither thread waits. A worker publishes an object in `taken`, then
// checks that control has not taken the object away, and only then uses it. Without that check,
// control might have freed the object before it was published (a hazard pointer, Michael 2004).
// Bound: without an object one branch a poll.
#pragma once

#include <atomic>

namespace sluice {

template <class Thing>
class alignas(64) WorkerSlot {
  public:
    // --- called by control; null takes the object away ------------------------------------------
    void give(Thing* thing) { given_.store(thing); }
    [[nodiscard]] const Thing* taken() const { return taken_.load(); }

    // --- called by the worker; returns null if it has no object ---------------------------------
    [[nodiscard]] Thing* thing() {
        Thing* const given = given_.load(std::memory_order_acquire);
        if (given != taken_.load(std::memory_order_relaxed)) [[unlikely]]
            return take(given);
        return given;
    }

  private:
    [[gnu::noinline]] Thing* take(Thing* given) {
        for (;;) {
            taken_.store(given);
            Thing* const now = given_.load();
            if (now == given) return given;
            given = now;
        }
    }

    std::atomic<Thing*> given_{nullptr};
    std::atomic<Thing*> taken_{nullptr};
};

}  // namespace sluice
