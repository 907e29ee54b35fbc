#include "pmd_glue/workers.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <utility>

namespace sluice::pmd {

namespace {

// A shorter interval would take CPU time from the workers.
constexpr timespec between_looks{0, 200'000};

std::string text_of(Worker::Stage stage) {
    switch (stage) {
        case Worker::Stage::switching:
            return "has not seen the stop: its last poll does not end, or its CPU is taken";
        case Worker::Stage::draining:
            return "drains, and has not seen that the time for draining is over";
        case Worker::Stage::waiting_for_others:
            return "waits for the other workers";
        case Worker::Stage::discarding:
            return "discards the remaining frames";
        case Worker::Stage::ended:
            return "is about to return";
    }
    return {};
}

// Returns null for a slot without a port.
PortBursts* bursts_of(Port* port) { return port == nullptr ? nullptr : &port->bursts(); }

}  // namespace

Switch::OnWorker on_worker(Eal& eal) {
    return [&eal](WorkerIndex worker, const std::function<void()>& make) {
        const auto call = [](void* function) {
            (*static_cast<std::function<void()>*>(function))();
            return 0;
        };
        std::function<void()> function = make;
        eal.launch(worker, call, &function);
        eal.wait(worker);
    };
}

Workers::Workers(Switch& dataplane, const Settings& settings, std::vector<Port*> ports,
                 std::vector<Pool*> pools, const Clock& clock, const WorkerOptions& options)
    : pools_(std::move(pools)),
      group_{.dataplane = dataplane,
             .pools = pools_,
             .clock = clock,
             .options = options,
             .workers = settings.workers,
             .wakeup = {},
             .published = nullptr} {
    PublishedState first{.settings = settings};
    std::ranges::transform(ports, first.ports.begin(), bursts_of);
    publish(std::move(first));
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        workers_.push_back(std::make_unique<Worker>(worker, group_));
    }
}

Workers::~Workers() {
    while (!stop().empty()) continue;
}

void Workers::start(Eal& eal, std::size_t first) {
    eal_ = &eal;
    first_lcore_ = first;
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
        eal.launch(
            first + worker,
            [](void* self) {
                static_cast<Worker*>(self)->run();
                return 0;
            },
            workers_[worker].get());
    }
}

std::vector<std::string> Workers::stop() {
    if (eal_ == nullptr) return {};
    if (!group_.stopping.load(std::memory_order_relaxed)) {
        group_.drained_by = group_.clock.now() + group_.options.drain_limit;
        group_.stopping.store(true, std::memory_order_release);
        wake();
    }
    const Nanos limit = group_.clock.now() + group_.options.stop_limit;
    std::vector<std::string> running = who_runs();
    while (!running.empty() && group_.clock.now() < limit) {
        ::nanosleep(&between_looks, nullptr);
        running = who_runs();
    }
    if (!running.empty()) return running;
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
        eal_->wait(first_lcore_ + worker);
    }
    eal_ = nullptr;
    return {};
}

std::vector<std::string> Workers::who_runs() const {
    std::vector<std::string> lines;
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
        if (!eal_->runs(first_lcore_ + worker)) continue;
        lines.push_back("worker " + std::to_string(worker) + " " +
                        text_of(workers_[worker]->stage()));
    }
    return lines;
}

void Workers::publish(const Settings& settings) {
    publish(PublishedState{.settings = settings, .ports = published_.back()->ports});
}

void Workers::set_port(PortIndex place, Port* port) {
    PublishedState next = *published_.back();
    next.ports[place] = bursts_of(port);
    publish(std::move(next));
}

void Workers::publish(PublishedState next) {
    free_unused();
    published_.push_back(std::make_unique<const PublishedState>(std::move(next)));
    group_.published.store(published_.back().get(), std::memory_order_release);
    wake();
}

bool Workers::all_adopted() const {
    return std::ranges::all_of(
        workers_, [&](const auto& worker) { return worker->adopted() == published_.back().get(); });
}

bool Workers::wait_until_adopted(Nanos at_most) const {
    const Nanos limit = group_.clock.now() + at_most;
    while (!all_adopted() && group_.clock.now() < limit) ::nanosleep(&between_looks, nullptr);
    return all_adopted();
}

// Frees states that are older than that of the slowest worker: a worker may be about to adopt any
// state newer than its own.
void Workers::free_unused() {
    const auto in_use = std::ranges::find_if(published_, [&](const auto& published) {
        return std::ranges::any_of(
            workers_, [&](const auto& worker) { return worker->adopted() == published.get(); });
    });
    published_.erase(published_.begin(), in_use);
}

}  // namespace sluice::pmd
