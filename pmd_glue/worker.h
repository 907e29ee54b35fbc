// Worker: the loop of one core: it polls its shard (dataplane/poll.h) over DPDK's devices, reads
// the clock, takes over new settings, idles, and stops.
//
// `now` is read once a poll. New settings are adopted between polls, as a whole. With `idle: yield`
// an idle worker yields its core for some tens of microseconds at a time, unless a frame waits
// somewhere, until the next frame arrives.
// A worker that is the only one, and whose ports are all of af_packet, af_xdp or tap, or tunnels
// over these, sleeps for 10 ms at a time instead, while nothing is under way. An arriving frame
// wakes it (receive_sockets.h), and so does control at the end of each turn (wakeup.h). With two
// ports the process takes 1 % of a core in place of 20 %. A round of ageing keeps the worker awake
// for a moment; with a large FDB it then naps like other workers. It also naps if outputs decide on
// pauses or relay them, and if ports use credit.
// Bound: a sleeping worker receives a frame after the time of a wake-up, some 0.01 to 0.05 ms; a
// napping worker within 0.06 ms.
// Not done here: threads, and the workers together (workers.h).
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
    Nanos drain_limit{1'000'000'000};  // how long a stop waits for queues to empty
    Nanos stop_limit{10'000'000'000};  // and for all workers to end
};

// One writer: the worker.
struct alignas(64) WorkerCounters {
    Counter polls;
    Counter busy_polls;  // those that received or sent something
    Counter received;    // frames
    Counter sent;        // frames, those made here included
    Counter busy_ns;     // spent in busy polls
    Counter idle_ns;
    Counter sleeps;
    Counter longest_gap_ns;  // from one poll to the next, but where it chose to sleep
};

// The settings and ports that workers use.
struct PublishedState {
    Settings settings;
    Ports ports{};
};

// The state that the workers of one switch share.
struct WorkerGroup {
    Switch& dataplane;
    std::span<Pool* const> pools;  // by WorkerIndex, or one for all of them
    const Clock& clock;
    const WorkerOptions options;
    const unsigned workers;
    Wakeup wakeup;  // of the only worker; several do not sleep for so long

    std::atomic<const PublishedState*> published;  // the newest; written by control
    Nanos drained_by;                              // written before `stopping`
    // A stop, step by step; each is reached by all before anybody takes the next one.
    std::atomic<bool> stopping{false};         // receive no more, let the peers send on
    std::atomic<unsigned> receive_nothing{0};  // workers that have stopped receiving
    std::atomic<unsigned> empty{0};         // a bit for each worker that has found the switch empty
    std::atomic<bool> drained{false};       // nothing is left, or it took too long
    std::atomic<unsigned> move_nothing{0};  // workers that have stopped moving frames
};

class Worker {
  public:
    // The progress of a stop.
    enum class Stage : uint8_t { switching, draining, waiting_for_others, discarding, ended };

    Worker(WorkerIndex index, WorkerGroup& group);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Polls until the group has stopped and everything was sent or dropped.
    void run();
    // One poll. Whether anything was received or sent. Split off for tests.
    bool poll(Nanos now);

    [[nodiscard]] const WorkerCounters& counters() const { return counters_; }
    [[nodiscard]] Stage stage() const { return stage_.load(std::memory_order_relaxed); }
    // The state that the worker uses. Any published before it may be freed.
    [[nodiscard]] const PublishedState* adopted() const {
        return adopted_.load(std::memory_order_acquire);
    }

  private:
    void adopt();
    void stop_receiving();
    bool is_drained(Nanos now);
    void discard_the_rest();
    // These two: whether it slept.
    bool rest(bool busy, Nanos now);
    bool sleep(Nanos now);
    void nap();
    void end_rest();
    // Whether any next frame or order wakes the worker.
    [[nodiscard]] bool can_be_woken() const;

    const WorkerIndex index_;
    WorkerGroup& group_;
    Shard& shard_;
    Devices devices_;
    Poll<Devices> poll_;
    ReceiveSockets receive_sockets_;
    bool receives_ = true;
    uint32_t idle_polls_ = 0;
    uint32_t polls_to_age_ = 0;  // since it slept
    bool was_readable_ = false;  // a socket, as it slept
    uint32_t clearings_ = 0;     // of watermarks
    WorkerCounters counters_;
    std::atomic<const PublishedState*> adopted_;
    std::atomic<Stage> stage_{Stage::switching};
};

}  // namespace sluice::pmd
