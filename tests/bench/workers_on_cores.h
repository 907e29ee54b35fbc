// Workers on cores: the workers of one switch, each on a core of its own together with the far ends
// of ports that this core serves, so that frames go round without a generator. Each core runs the
// worker's own poll (pmd_glue/worker.h), and both ends of the rings are in the figure.
// `FarEnds`: `serve(worker)` takes what came and sends it back.
// On cores that others use too it says nothing: who waits for another worker waits for its core.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <thread>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/shard.h"
#include "dataplane/switch.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "pmd_glue/worker.h"
#include "tests/bench/bypass_share.h"
#include "tests/bench/pace.h"

namespace sluice::bench {

template <class FarEnds>
class WorkersOnCores {
  public:
    // From that core of the EAL's on.
    WorkersOnCores(const Settings& settings, const std::vector<std::unique_ptr<pmd::Port>>& ports,
                   FarEnds& far_ends, pmd::Pool& pool, const pmd::Clock& clock,
                   std::size_t first_core = 0)
        : first_core_(first_core),
          published_{.settings = settings, .ports = pointers_to(ports)},
          dataplane_(published_.settings),
          far_ends_(far_ends),
          pools_{&pool},
          group_{.dataplane = dataplane_,
                 .pools = pools_,
                 .clock = clock,
                 .options = {.idle = pmd::Idle::poll},
                 .workers = settings.workers,
                 .published = &published_} {
        for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
            cores_.push_back(std::make_unique<Core>(worker, *this));
        }
        for (PortIndex port = 0; port < ports.size(); ++port) dataplane_.set_link(port, true);
    }
    // The switch alone, as often as it takes to let out a burst; what was dropped counts no more.
    void settle() {
        for (int poll = 0; poll < 100; ++poll) {
            for (const auto& core : cores_) core->worker.poll(group_.clock.now());
        }
        dropped_before_ = ledger_of(dataplane_).dropped;
    }
    struct Round {
        double mpps;
        double pace;  // of the slowest of its cores (pace.h)
    };
    Round round(pmd::Eal& eal) { return round(eal, {this}); }
    // Of several switches at the same time, on different cores.
    static Round round(pmd::Eal& eal, std::initializer_list<WorkersOnCores*> together) {
        const auto sent = [&] {
            uint64_t frames = 0;
            for (const WorkersOnCores* each : together) frames += each->sent();
            return frames;
        };
        for (WorkersOnCores* each : together) each->start(eal);
        std::this_thread::sleep_for(warm_up);
        const auto start = std::chrono::steady_clock::now();
        const uint64_t before = sent();
        std::this_thread::sleep_for(round_time);
        const uint64_t frames = sent() - before;
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - start;
        Round round{static_cast<double>(frames) / took.count(), 0};
        for (WorkersOnCores* each : together) {
            each->stop(eal);
            for (const auto& core : each->cores_) round.pace = std::max(round.pace, core->pace());
        }
        return round;
    }
    [[nodiscard]] unsigned workers() const { return group_.workers; }
    [[nodiscard]] double share_of_bypass() const { return bypass_share(dataplane_); }
    [[nodiscard]] uint64_t dropped() const {
        return ledger_of(dataplane_).dropped - dropped_before_;
    }

  private:
    static constexpr uint64_t polls_a_look = 1024;  // some milliseconds
    static constexpr std::chrono::milliseconds warm_up{10};
    static constexpr std::chrono::milliseconds round_time{50};

    struct Core {
        Core(WorkerIndex self, WorkersOnCores& of)
            : index(self), worker(self, of.group_), all(of) {}
        void serve() {
            looks.clear();
            all.dataplane_.shard(index).hand_over();
            for (uint64_t polls = 1; !all.over_.load(std::memory_order_relaxed); ++polls) {
                worker.poll(all.group_.clock.now());
                all.far_ends_.serve(index);
                if (polls % polls_a_look == 0) looks.push_back(pace_now());
            }
            looks.push_back(pace_now());
        }
        // Of the middle of its looks: one that was broken into says nothing of the rest.
        [[nodiscard]] double pace() const { return middle_of(looks); }

        WorkerIndex index;
        pmd::Worker worker;
        WorkersOnCores& all;
        std::vector<double> looks;  // at its pace, in the last round
    };

    static pmd::Ports pointers_to(const std::vector<std::unique_ptr<pmd::Port>>& ports) {
        pmd::Ports pointers{};
        for (std::size_t port = 0; port < ports.size(); ++port)
            pointers[port] = &ports[port]->bursts();
        return pointers;
    }
    void start(pmd::Eal& eal) {
        over_.store(false);
        const auto serve = [](void* core) {
            static_cast<Core*>(core)->serve();
            return 0;
        };
        for (std::size_t core = 0; core < cores_.size(); ++core) {
            eal.launch(first_core_ + core, serve, cores_[core].get());
        }
    }
    void stop(pmd::Eal& eal) {
        over_.store(true);
        for (std::size_t core = 0; core < cores_.size(); ++core) eal.wait(first_core_ + core);
    }
    [[nodiscard]] uint64_t sent() const {
        uint64_t frames = 0;
        for (const auto& core : cores_) frames += core->worker.counters().sent.value();
        return frames;
    }

    const std::size_t first_core_;
    const pmd::PublishedState published_;
    Switch dataplane_;
    FarEnds& far_ends_;
    std::vector<pmd::Pool*> pools_;
    pmd::WorkerGroup group_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::atomic<bool> over_{false};
    uint64_t dropped_before_ = 0;
};

}  // namespace sluice::bench
