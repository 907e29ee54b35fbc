// Worker: the poll loop of one core. A poll, from top to bottom: receive a burst from each of its
// ports and send it the pause frame that it owes by then, send what control has to say, match and
// transfer, give each of its ports first a pause frame again and then data until the device refuses
// or nothing is left, tend. worker.cc reads in that order.
//
// A port that was silent for a while, and was sent nothing, is asked at every fourth poll only, but
// at each one while nobody else is busy.
//
// Bound: a poll takes one burst from a port, or from a lane of one, then makes up to eight turns of
// `fabric.slots` matchings and two bursts to a port, fewer once nothing moves; nothing in it waits,
// locks or allocates. `now` is read once a poll, so a frame's time is exact to one poll. New
// settings are picked up between polls, whole. With `yield` a worker that finds nothing to do gives
// its core away for some tens of microseconds at a time, unless a frame waits somewhere; the first
// frame ends that. Not done here: threads, and what all workers do together; Workers (workers.h)
// does that.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/counters.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/released.h"
#include "dataplane/settings.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

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

// What the workers of one switch share.
struct Crew {
    Switch& fabric;
    std::span<Port* const> ports;  // by PortIndex
    std::span<Pool* const> pools;  // by WorkerIndex, or one for all of them
    const Clock& clock;
    const WorkerOptions options;
    const unsigned workers;

    std::atomic<const Settings*> settings;  // the newest; written by control
    Nanos drained_by;  // written before `stopping`
    // A stop, step by step; each is reached by all before anybody takes the next one.
    std::atomic<bool> stopping{false};  // receive no more, let the peers send on
    std::atomic<unsigned> deaf{0};      // workers that have stopped receiving
    std::atomic<unsigned> empty{0};     // a bit for each worker that has found the switch empty
    std::atomic<bool> still{false};     // nothing is left, or it took too long: move nothing more
    std::atomic<unsigned> quiet{0};     // workers that have stopped moving frames
};

class Worker {
  public:
    // How far it got with a stop.
    enum class Stage : uint8_t { switching, draining, waiting_for_others, letting_go, ended };

    Worker(WorkerIndex index, Crew& crew);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Polls until the crew has stopped and everything was sent or let go of.
    void run();
    // One poll. Whether anything was received or sent. Split off for tests.
    bool poll(Nanos now);

    [[nodiscard]] const WorkerCounters& counters() const { return counters_; }
    [[nodiscard]] Stage stage() const { return stage_.load(std::memory_order_relaxed); }
    // The settings that it works by. What was published before may be freed.
    [[nodiscard]] const Settings* adopted() const {
        return adopted_.load(std::memory_order_acquire);
    }

  private:
    // An input that it polls: a port, or a lane of one.
    struct Source {
        PortIndex input;
        PortIndex port;
        uint16_t lane;  // among those of the port
    };

    void adopt();
    // Whether a silent port is left alone at this poll.
    [[nodiscard]] bool skips(PortIndex input) const;
    // Whether a lane is to wait for its port's worker.
    [[nodiscard]] bool waits(const Source& from) const;
    [[nodiscard]] bool waits_for_room() const;
    std::size_t receive(const Source& from, Nanos now);
    // Returns the pairs matched; by worker 0 alone there are any.
    std::size_t cross();
    std::size_t send_all(Nanos now);
    std::size_t send(PortIndex output, Nanos now);
    // Of a frame that needs a buffer of its own and gets none.
    void give_up_first(PortIndex output, std::span<const Frame> frames);
    std::size_t send_pause(PortIndex output, Nanos now);
    std::size_t send_for_control(PortSet due);
    bool send_copy(PortIndex output, std::span<const uint8_t> octets);
    void apply_released();
    void stop_receiving();
    bool nothing_left(Nanos now);
    void let_go();
    // Whether it slept.
    bool rest(bool busy);

    const WorkerIndex index_;
    Crew& crew_;
    Pool& pool_;                    // that it takes buffers from
    std::vector<PortIndex> ports_;  // that it owns
    std::vector<Source> sources_;
    std::array<uint8_t, max_ports> silence_{};  // polls without a frame, as far as counted
    unsigned turn_ = 0;                         // of asking silent ports
    bool was_busy_ = false;                     // the last poll
    std::array<Frame, max_burst> burst_;
    Released released_;
    std::array<Frame, max_ports> spare_{};  // a buffer a port for its next pause frame
    bool deaf_ = false;
    uint32_t idle_polls_ = 0;
    WorkerCounters counters_;
    std::atomic<const Settings*> adopted_;
    std::atomic<Stage> stage_{Stage::switching};
};

}  // namespace sluice::pmd
