#include "control/recorder/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/clock_offsets.h"
#include "control/recorder/burst_finder.h"

namespace sluice::control {

namespace {

// Bursts that cost nothing are left out if their depth is below this fraction of the depth that
// triggers a recording.
constexpr uint64_t shallow = 8;

const Burst* worst_of(const Recording& recording) {
    const auto worst = std::ranges::max_element(recording.bursts, {}, [](const Burst& burst) {
        return std::pair(burst.dropped, burst.peak);
    });
    return worst == recording.bursts.end() ? nullptr : &*worst;
}

}  // namespace

RecorderManager::RecorderManager(Switch& dataplane, const config::Configuration& configuration,
                                 Clock clock, EventSink& events)
    : dataplane_(dataplane),
      events_(events),
      clock_(std::move(clock)),
      lent_(dataplane, &Switch::reel_slot) {
    configure(configuration, clock_());
}

void RecorderManager::configure(const config::Configuration& configuration, Nanos) {
    ports_.clear();
    for (const config::PortConfig& port : configuration.ports) ports_.push_back(port.name);
    if (configuration.recorder == config_) return;
    config_ = configuration.recorder;
    stop_recording();
    while (recordings_.size() > config_.keep) recordings_.pop_front();
    if (config_.enabled) start_recording();
}

void RecorderManager::start_recording() {
    stop_recording();
    auto running = std::make_unique<Running>();
    const std::size_t workers = dataplane_.worker_count();
    running->board = std::make_unique<TriggerBoard>(static_cast<unsigned>(workers));
    for (std::size_t worker = 0; worker < workers; ++worker) {
        running->by_worker.push_back(std::make_unique<Reel>(
            config_.settings, *running->board, dataplane_.input_count(), dataplane_.port_count()));
    }
    lent_.lend(std::move(running));
}

void RecorderManager::stop_recording() {
    if (!is_on()) return;
    collect();
    samples_before_ = samples();
    lost_before_ = samples_lost();
    lent_.take_back();
    under_way_.clear();
}

bool RecorderManager::trigger() {
    if (!is_on()) return false;
    lent_.lent()->by_worker.front()->want();
    return true;
}

void RecorderManager::tick(Nanos) {
    lent_.free_returned();
    if (is_on()) collect();
    const auto now = std::chrono::steady_clock::now();
    if (!newest_ || (reported_at_ && now - *reported_at_ < std::chrono::seconds(1))) return;
    std::string text = *std::exchange(newest_, std::nullopt);
    if (const uint64_t others = std::exchange(unreported_, 0) - 1; others > 0) {
        text += fmt::format("; and {} more since the last report", others);
    }
    reported_at_ = now;
    events_.notice("burst_recorded", {}, std::move(text));
}

void RecorderManager::collect() {
    const Running& running = *lent_.lent();
    const uint32_t round = running.board->round();
    for (std::size_t worker = 0; worker < running.by_worker.size(); ++worker) {
        Reel& reel = *running.by_worker[worker];
        for (const Reel::Finished* part = reel.finished();
             part != nullptr && static_cast<int32_t>(round - part->round) > 0;
             part = reel.finished()) {
            Recording& recording = under_way_[part->round];
            recording.workers.resize(running.by_worker.size());
            WorkerEntries& kept = recording.workers[worker];
            const auto [older, newer] = reel.entries_of(*part);
            kept.entries.assign(older.begin(), older.end());
            kept.entries.insert(kept.entries.end(), newer.begin(), newer.end());
            kept.is_whole = newer.empty();
            recording.end = std::max(recording.end, part->end);
            if (part->trigger) recording.trigger = *part->trigger;
            reel.give_back();
        }
    }
    for (auto& [of_round, recording] : std::exchange(under_way_, {})) {
        finish(std::move(recording));
    }
}

void RecorderManager::finish(Recording recording) {
    recording.number = ++made_;
    recording.begin = recording.trigger.at - config_.settings.before;
    recording.clocks = read_clock_offsets(clock_);
    recording.ports = ports_;
    for (std::size_t input = 0; input < dataplane_.input_count(); ++input) {
        recording.port_of.push_back(dataplane_.port_of(InputIndex(static_cast<uint8_t>(input))));
    }
    const auto least = static_cast<uint64_t>(config_.settings.depth.count()) / shallow;
    recording.bursts = find_bursts(recording, least);
    bursts_ += recording.bursts.size();
    newest_ = text_of(recording);
    ++unreported_;
    recordings_.push_back(std::move(recording));
    while (recordings_.size() > config_.keep) recordings_.pop_front();
}

std::string RecorderManager::text_of(const Recording& recording) const {
    const auto name_of = [&](PortIndex port) {
        return port < ports_.size() ? ports_[port] : std::string("?");
    };
    const RecordTrigger& why = recording.trigger;
    std::string text = fmt::format("recording {} by {}", recording.number,
                                   record_causes[static_cast<std::size_t>(why.cause)]);
    if (why.port != RecordTrigger::unknown) text += " of " + name_of(why.port);
    if (why.priority != RecordTrigger::unknown) text += fmt::format(" priority {}", why.priority);
    const Burst* const worst = worst_of(recording);
    if (worst == nullptr) return text + ": no burst in it";
    text += fmt::format(": {} burst{}, the worst at {} priority {}: {} us, {} octets, {} dropped",
                        recording.bursts.size(), recording.bursts.size() == 1 ? "" : "s",
                        name_of(worst->output), worst->priority,
                        (worst->end - worst->start).count() / 1000, worst->peak, worst->dropped);
    if (worst->feeders.empty()) return text;
    const Burst::Feeder& most = worst->feeders.front();
    return text +
           fmt::format(", most from {} ({} frames)", name_of(most.port), most.came + most.dropped);
}

const Recording* RecorderManager::find(uint64_t number) const {
    const auto found = std::ranges::find(recordings_, number, &Recording::number);
    return found == recordings_.end() ? nullptr : &*found;
}

uint64_t RecorderManager::samples() const {
    uint64_t sum = samples_before_;
    if (is_on()) {
        for (const auto& reel : lent_.lent()->by_worker) sum += reel->samples();
    }
    return sum;
}

uint64_t RecorderManager::samples_lost() const {
    uint64_t sum = lost_before_;
    if (is_on()) {
        for (const auto& reel : lent_.lent()->by_worker) sum += reel->lost();
    }
    return sum;
}

Nanos RecorderManager::longest_distance() const {
    uint64_t longest = 0;
    if (is_on()) {
        for (const auto& reel : lent_.lent()->by_worker) {
            longest = std::max(longest, reel->longest_distance());
        }
    }
    return Nanos(static_cast<int64_t>(longest));
}

}  // namespace sluice::control
