// ReelSlot: where control gives a worker its reel (reel.h), and takes it away.
//
// The worker looks once a poll. Control frees a reel once `taken` says that the worker has another,
// or none; nobody waits. A worker uses a reel only if it is still given once `taken` names it: else
// control, which takes it away between the two, would free it (a hazard pointer, Michael 2004).
// Bound: without a reel one branch a poll.
#pragma once

#include <atomic>

namespace sluice {

class Reel;

class alignas(64) ReelSlot {
  public:
    // --- by control: null takes it away ---------------------------------------------------------
    void give(Reel* reel) { given_.store(reel); }
    [[nodiscard]] const Reel* taken() const { return taken_.load(); }

    // --- by the worker: null: nothing is recorded -----------------------------------------------
    [[nodiscard]] Reel* reel() {
        Reel* const given = given_.load(std::memory_order_acquire);
        if (given != taken_.load(std::memory_order_relaxed)) [[unlikely]]
            return take(given);
        return given;
    }

  private:
    [[gnu::noinline]] Reel* take(Reel* given) {
        for (;;) {
            taken_.store(given);
            Reel* const now = given_.load();
            if (now == given) return given;
            given = now;
        }
    }

    std::atomic<Reel*> given_{nullptr};
    std::atomic<Reel*> taken_{nullptr};
};

}  // namespace sluice
