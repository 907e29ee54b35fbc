#include "pmd_glue/workers.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sluice::pmd {

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

Workers::Workers(Switch& fabric, const Settings& settings, std::vector<Port*> ports,
                 std::vector<Pool*> pools, const Clock& clock, const WorkerOptions& options)
    : ports_(std::move(ports)),
      pools_(std::move(pools)),
      crew_{.fabric = fabric,
            .ports = ports_,
            .pools = pools_,
            .clock = clock,
            .options = options,
            .workers = settings.workers,
            .settings = nullptr} {
    editions_.push_back(std::make_unique<const Settings>(settings));
    crew_.settings.store(editions_.back().get(), std::memory_order_release);
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        workers_.push_back(std::make_unique<Worker>(worker, crew_));
    }
}

Workers::~Workers() { stop(); }

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

void Workers::stop() {
    Eal* const eal = std::exchange(eal_, nullptr);
    if (eal == nullptr) return;
    crew_.stopping.store(true, std::memory_order_release);
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
        eal->wait(first_lcore_ + worker);
    }
}

void Workers::publish(const Settings& settings) {
    free_unused();
    editions_.push_back(std::make_unique<const Settings>(settings));
    crew_.settings.store(editions_.back().get(), std::memory_order_release);
}

bool Workers::settled() const {
    return std::ranges::all_of(
        workers_, [&](const auto& worker) { return worker->adopted() == editions_.back().get(); });
}

// A worker may be about to adopt any edition after the one it has, so those before what the slowest
// has are free, and no others.
void Workers::free_unused() {
    const auto in_use = std::ranges::find_if(editions_, [&](const auto& edition) {
        return std::ranges::any_of(
            workers_, [&](const auto& worker) { return worker->adopted() == edition.get(); });
    });
    editions_.erase(editions_.begin(), in_use);
}

}  // namespace sluice::pmd
