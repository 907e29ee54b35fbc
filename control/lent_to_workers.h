// LentToWorkers: objects that control lends to the workers, one to each, and into which the workers
// write, such as the reels of the recorder and the samplers of IPFIX.
//
// A set is lent as a whole. A set that was taken back is freed once no worker uses any of its
// objects (threads/worker_slot.h); no thread waits for that. This object is destroyed after the
// workers have ended.
// Bound: as many sets as were lent since the workers last looked at their slots.
#pragma once

#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "dataplane/switch.h"
#include "dataplane/threads/worker_slot.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

// `Set` has a member `by_worker` with pointers to the objects.
template <class Thing, class Set>
class LentToWorkers {
  public:
    using SlotOf = WorkerSlot<Thing>& (Switch::*)(WorkerIndex);

    LentToWorkers(Switch& dataplane, SlotOf slot_of) : dataplane_(dataplane), slot_of_(slot_of) {}
    LentToWorkers(const LentToWorkers&) = delete;
    LentToWorkers& operator=(const LentToWorkers&) = delete;
    ~LentToWorkers() { take_back(); }

    void lend(std::unique_ptr<Set> set) {
        assert(set == nullptr || set->by_worker.size() >= dataplane_.worker_count());
        if (lent_) returning_.push_back(std::move(lent_));
        lent_ = std::move(set);
        for (WorkerIndex worker = 0; worker < dataplane_.worker_count(); ++worker)
            slot(worker).give(lent_ ? lent_->by_worker[worker].get() : nullptr);
    }
    void take_back() { lend(nullptr); }
    // Frees the sets that no worker uses any more; calls `part` with each set before it is freed.
    template <class Part>
    void free_returned(Part part) {
        std::erase_if(returning_, [&](const auto& old) {
            for (WorkerIndex worker = 0; worker < dataplane_.worker_count(); ++worker) {
                if (slot(worker).taken() == old->by_worker[worker].get()) return false;
            }
            part(*old);
            return true;
        });
    }
    void free_returned() {
        free_returned([](const Set&) {});
    }

    // Returns the set that workers use or are about to use; null: none.
    [[nodiscard]] Set* lent() const { return lent_.get(); }
    [[nodiscard]] bool has_any() const { return lent_ || !returning_.empty(); }

  private:
    WorkerSlot<Thing>& slot(WorkerIndex worker) { return (dataplane_.*slot_of_)(worker); }

    Switch& dataplane_;
    const SlotOf slot_of_;
    std::unique_ptr<Set> lent_;
    std::vector<std::unique_ptr<Set>> returning_;
};

}  // namespace sluice::control
