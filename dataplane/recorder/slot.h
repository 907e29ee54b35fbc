// ReelSlot: where control gives a worker its reel (reel.h), and takes it away.
//
// The worker looks once a poll. Control frees a reel once `taken` says that the worker has another,
// or none; nobody waits.
// Bound: without a reel one branch a poll.
#pragma once

#include <atomic>

namespace sluice {

class Reel;

class alignas(64) ReelSlot {
  public:
    // --- by control: null takes it away ---------------------------------------------------------
    void give(Reel* reel) { given_.store(reel, std::memory_order_release); }
    [[nodiscard]] const Reel* taken() const { return taken_.load(std::memory_order_acquire); }

    // --- by the worker: null: nothing is recorded -----------------------------------------------
    [[nodiscard]] Reel* reel() {
        Reel* const given = given_.load(std::memory_order_acquire);
        if (given != taken_.load(std::memory_order_relaxed)) [[unlikely]]
            taken_.store(given, std::memory_order_release);
        return given;
    }

  private:
    std::atomic<Reel*> given_{nullptr};
    std::atomic<Reel*> taken_{nullptr};
};

}  // namespace sluice
