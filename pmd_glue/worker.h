// Worker: the loop of one core: it polls its shard (dataplane/poll.h) over DPDK's devices, reads
// the clock, adopts new settings, idles, and stops.
//
// `now` is read once a poll. New settings are adopted between polls, as a whole. With `idle: yield`
// an idle worker yields its core for some tens of microseconds at a time until the next frame
// arrives, unless a frame waits in the switch.
// If there is one worker, and its ports are all af_packet, af_xdp or tap, or tunnels over these, it
// sleeps for 10 ms at a time instead, while no frame or retry is in progress. An arriving frame
// wakes it (receive_sockets.h), and so does control at the end of each turn (wakeup.h). With two
// ports the process then takes 1 % of a core instead of 20 %. A round of ageing keeps the worker
// awake for a moment; with a large FDB it then naps like other workers. It also naps if outputs
// decide on pauses or relay them, and if ports use credit.
// Bound: a sleeping worker receives a frame after the time of a wake-up, some 0.01 to 0.05 ms; a
// napping worker within 0.06 ms.
// Not done here: threads, and calls for all workers (workers.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/devices.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port_bursts.h"
#include "pmd_glue/receive_sockets.h"
#include "pmd_glue/wakeup.h"

namespace sluice::pmd {

enum class Idle : uint8_t { poll, yield };

struct WorkerOptions {
    std::size_t burst = 64;  // frames, 1 to max_burst
    Idle idle = Idle::yield;
    Nanos drain_limit{1'000'000'000};  // longest time for queues to empty at a stop
    Nanos stop_limit{10'000'000'000};  // longest time for all workers to end at a stop
};

// Counters that only the worker writes.
struct alignas(64) WorkerCounters {
    Counter polls;
    Counter busy_polls;  // polls that received or sent a frame
    Counter received;    // frames
    Counter sent;        // frames, including generated ones
    Counter busy_ns;     // time in busy polls
    Counter idle_ns;
    Counter sleeps;
    Counter longest_gap_ns;  // longest time between two polls without a sleep in between
};

// The settings and ports that workers use.
struct PublishedState {
    Settings settings;
    Ports ports{};
};

// The state that the workers of one switch share.
struct WorkerGroup {
    Switch& dataplane;
    std::span<Pool* const> pools;  // by WorkerIndex, or one pool for all workers
    const Clock& clock;
    const WorkerOptions options;
    const unsigned workers;
    Wakeup wakeup;  // for a single worker; several workers never sleep long

    std::atomic<const PublishedState*> published;  // newest state; written by control
    Nanos drained_by;                              // written before `stopping`
    // Steps of a stop. All workers complete a step before any begins the next one.
    std::atomic<bool> stopping{false};  // step 1: receive no more frames, and release the peers
    std::atomic<unsigned> receive_nothing{0};  // workers that have stopped receiving
    std::atomic<unsigned> empty{0};         // bit n is set if worker n has found the switch empty
    std::atomic<bool> drained{false};       // the switch is empty, or the drain limit has passed
    std::atomic<unsigned> move_nothing{0};  // workers that have stopped moving frames
};

class Worker {
  public:
    // Progress of a stop.
    enum class Stage : uint8_t { switching, draining, waiting_for_others, discarding, ended };

    Worker(WorkerIndex index, WorkerGroup& group);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Polls until the group has stopped, and all frames were sent or dropped.
    void run();
    // Does one poll. Returns whether a frame was received or sent. Public for tests.
    bool poll(Nanos now);

    [[nodiscard]] const WorkerCounters& counters() const { return counters_; }
    [[nodiscard]] Stage stage() const { return stage_.load(std::memory_order_relaxed); }
    // Returns the state that the worker uses. States that were published before it may be freed.
    [[nodiscard]] const PublishedState* adopted() const {
        return adopted_.load(std::memory_order_acquire);
    }

  private:
    void adopt();
    void stop_receiving();
    bool is_drained(Nanos now);
    void discard_the_rest();
    // Both return whether the worker slept.
    bool rest(bool busy, Nanos now);
    bool sleep(Nanos now);
    void nap();
    void end_rest();
    // Whether every possible next frame or order wakes the worker, so that it may sleep.
    [[nodiscard]] bool can_be_woken() const;

    const WorkerIndex index_;
    WorkerGroup& group_;
    Shard& shard_;
    Devices devices_;
    Poll<Devices> poll_;
    ReceiveSockets receive_sockets_;
    bool receives_ = true;
    uint32_t idle_polls_ = 0;
    // How often, since the last sleep, ageing was due and kept the worker from sleeping.
    uint32_t polls_to_age_ = 0;
    bool was_readable_ = false;  // whether a socket was readable after the last sleep
    uint32_t clearings_ = 0;     // number of watermark clearings that were seen
    WorkerCounters counters_;
    std::atomic<const PublishedState*> adopted_;
    std::atomic<Stage> stage_{Stage::switching};
};

}  // namespace sluice::pmd
