// Workers: all workers of one switch, from start to stop, and the settings that they use.
//
// All calls are control's, from one thread. Settings and ports are published as a whole: a worker
// adopts them between polls, and a later call frees the old ones, once no worker uses them
// (read-copy-update). So a worker never waits for control, and control waits for workers only in
// `wait_until_adopted`, up to a limit, and in `stop`. A stop ends receiving, gives the queues
// `drain_limit` to empty, and drops the rest; it waits at most `stop_limit` for a worker that
// hangs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/switch.h"
#include "dataplane/types/settings.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "pmd_glue/worker.h"

namespace sluice::pmd {

// For making a switch: makes the parts of each worker in the thread that will run it, one after the
// other. A thread allocates from an arena of its own, on the NUMA node where it first touches the
// memory. For workers on EAL's worker lcores from 0 on, all idle.
Switch::OnWorker on_worker(Eal& eal);

class Workers {
  public:
    // `settings`: those that `dataplane` was made with. `ports`: in order of PortIndex, null for
    // empty slots. `pools`: one for each worker, or one for all. All outlive this, and EAL was
    // started with a core for each worker.
    Workers(Switch& dataplane, const Settings& settings, std::vector<Port*> ports,
            std::vector<Pool*> pools, const Clock& clock, const WorkerOptions& options);
    ~Workers();  // stops; every worker must end
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // The workers run on EAL's worker lcores from `first` on.
    void start(Eal& eal, std::size_t first = 0);
    // Returns empty when all workers have drained; or, after the limit, a line for each worker that
    // has not, with what it is doing. In that case nothing that such a worker may use may be
    // destroyed before another call returns empty. Workers cannot be started again.
    [[nodiscard]] std::vector<std::string> stop();

    // Also frees what no worker uses any more.
    void publish(const Settings& settings);
    // Sets the port in a slot; null: none. Take the link of the old port down before; do not
    // destroy the old port before `all_adopted`.
    void set_port(PortIndex place, Port* port);
    // Wakes a sleeping worker. Call it after leaving other orders for the worker, so that they do
    // not wait for a frame. From any thread.
    void wake() { group_.wakeup.wake(); }
    // Whether every worker uses the newest settings and ports.
    [[nodiscard]] bool all_adopted() const;
    // Waits until all have adopted, usually one poll of each, at most `at_most`: a worker may have
    // lost its CPU. Returns whether all have.
    bool wait_until_adopted(Nanos at_most) const;

    [[nodiscard]] std::size_t count() const { return workers_.size(); }
    [[nodiscard]] const WorkerCounters& counters(WorkerIndex worker) const {
        return workers_[worker]->counters();
    }
    [[nodiscard]] Worker& worker(WorkerIndex worker) { return *workers_[worker]; }

  private:
    void publish(PublishedState next);
    void free_unused();
    [[nodiscard]] std::vector<std::string> who_runs() const;

    const std::vector<Pool*> pools_;
    std::vector<std::unique_ptr<const PublishedState>>
        published_;  // oldest first; the last is the newest
    WorkerGroup group_;
    std::vector<std::unique_ptr<Worker>> workers_;
    Eal* eal_ = nullptr;  // while running
    std::size_t first_lcore_ = 0;
};

}  // namespace sluice::pmd
