// Workers: all workers of one switch from start to stop, and the settings that they use.
//
// Control makes all calls, from one thread. Settings and ports are published as a whole: a worker
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

// Returns a function that makes the parts of a switch. The parts of a worker are made in the thread
// that will run the worker, one worker after the other. A thread allocates from an arena of its
// own, on the NUMA node where it first touches the memory. Uses EAL's worker lcores from 0 on,
// which must be idle.
Switch::OnWorker on_worker(Eal& eal);

class Workers {
  public:
    // `settings`: those that `dataplane` was made with. `ports`: in order of PortIndex, null for
    // empty slots. `pools`: one for each worker, or one for all. All must outlive this object, and
    // EAL must have been started with a core for each worker.
    Workers(Switch& dataplane, const Settings& settings, std::vector<Port*> ports,
            std::vector<Pool*> pools, const Clock& clock, const WorkerOptions& options);
    ~Workers();  // calls stop() until every worker has ended
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Runs the workers on EAL's worker lcores from `first` on.
    void start(Eal& eal, std::size_t first = 0);
    // Returns nothing when all workers have drained; or, after the limit, a line for each worker
    // that has not, with its stage. Until a later call returns nothing, nothing may be destroyed
    // that such a worker may use. Workers cannot be started again.
    [[nodiscard]] std::vector<std::string> stop();

    // Publishes the settings, and frees states that no worker uses any more.
    void publish(const Settings& settings);
    // Sets the port in a slot; null empties it. Take the link of the old port down before; do not
    // destroy the old port before `all_adopted`.
    void set_port(PortIndex place, Port* port);
    // Wakes a sleeping worker. Call it after storing other work for the worker, which would
    // otherwise wait for a frame. Any thread may call it.
    void wake() { group_.wakeup.wake(); }
    // Whether every worker uses the newest settings and ports.
    [[nodiscard]] bool all_adopted() const;
    // Waits until all workers have adopted, usually one poll of each, at most `at_most`: a worker
    // may have lost its CPU. Returns whether all have adopted.
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
    // Oldest first; the last one is the newest.
    std::vector<std::unique_ptr<const PublishedState>> published_;
    WorkerGroup group_;
    std::vector<std::unique_ptr<Worker>> workers_;
    Eal* eal_ = nullptr;  // null unless the workers run
    std::size_t first_lcore_ = 0;
};

}  // namespace sluice::pmd
