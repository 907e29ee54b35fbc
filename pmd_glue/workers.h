// Workers: all workers of one switch, from start to stop, and the settings they work by.
//
// All calls are control's, from one thread. Settings and ports are published as a whole: a worker
// takes them over between polls, and what they replace is freed by a later call, once no worker
// uses it (read-copy-update). So a worker never waits for control, nor control for a worker, but
// where it asks for that: `wait_until_adopted`, for a limit, and `stop`. A stop ends receiving,
// gives the queues `drain_limit` to empty, and drops the rest; it waits no longer than `stop_limit`
// for a worker that hangs.
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

// For making a switch: has what is a worker's made by the thread that it will run on, one after the
// other. What a thread asks for comes from an arena of its own, and lies on the node of NUMA that
// it is first touched from. For workers on EAL's worker lcores from 0 on, all idle.
Switch::OnWorker on_worker(Eal& eal);

class Workers {
  public:
    // `settings` are those that `dataplane` was made with; ports are in order of PortIndex, null
    // where there is none, and pools in that of workers, or one for all of them. All outlive this,
    // and EAL was started with a core for each worker.
    Workers(Switch& dataplane, const Settings& settings, std::vector<Port*> ports,
            std::vector<Pool*> pools, const Clock& clock, const WorkerOptions& options);
    ~Workers();  // stops; every worker must end
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // The workers run on EAL's worker lcores from `first` on.
    void start(Eal& eal, std::size_t first = 0);
    // Returns when all have drained, and nothing; or, after the limit, a line for each worker that
    // has not: what it is at. Then nothing that it may use is to be destroyed before another call
    // returns nothing. Not to be started again.
    [[nodiscard]] std::vector<std::string> stop();

    // Also frees what no worker uses any more.
    void publish(const Settings& settings);
    // The port that is there from now on; null: none. Before that its link is to be down; the port
    // that was there must not be destroyed before `all_adopted`.
    void set_port(PortIndex place, Port* port);
    // Has a worker that sleeps take what else was left for it: to be called after that, so that it
    // does not wait for a frame. From any thread.
    void wake() { group_.wakeup.wake(); }
    // Whether every worker works by the newest settings and ports.
    [[nodiscard]] bool all_adopted() const;
    // Waits for that, which a poll of each takes as a rule, but no longer than `at_most`: a worker
    // may have lost its CPU. Returns whether it is so.
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
