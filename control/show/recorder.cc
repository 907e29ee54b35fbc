#include "control/show/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>

#include "control/recorder/burst_finder.h"
#include "control/recorder/manager.h"
#include "dataplane/types/enum_count.h"

namespace sluice::control {

namespace {

constexpr auto kinds = std::to_array<std::string_view>({"sample", "path", "queue", "group"});
static_assert(kinds.size() == count_of<RecordKind>);

std::string_view cause_name(RecordCause cause) {
    return record_causes[static_cast<std::size_t>(cause)];
}

// Returns a moment as text: UTC, ISO 8601, microseconds.
std::string utc_of(const Recording& recording, Nanos at) {
    const auto micros = std::chrono::floor<std::chrono::microseconds>(
        recording.clocks.utc + std::chrono::nanoseconds(at.count()));
    const std::chrono::sys_time<std::chrono::microseconds> time(micros);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format("{:%FT%T}.{:06}Z", seconds, (time - seconds).count());
}

// Returns the moment as a time of CLOCK_MONOTONIC.
int64_t monotonic_of(const Recording& recording, Nanos at) {
    return recording.clocks.monotonic.count() + at.count();
}

Json port_of(const Recording& recording, PortIndex port) {
    if (port >= recording.ports.size()) return nullptr;
    return recording.ports[port];
}

Json number_or_null(Priority priority) {
    if (priority >= max_priorities) return nullptr;
    return priority;
}

Json feeders_of(const Recording& recording, const Burst& burst) {
    Json rows = Json::array();
    for (const Burst::Feeder& feeder : burst.feeders) {
        rows.push_back({{"port", port_of(recording, feeder.port)},
                        {"frames", feeder.came},
                        {"dropped", feeder.dropped},
                        {"marked", feeder.marked},
                        {"xoffs", feeder.xoffs}});
    }
    return rows;
}

Json burst_of(const Recording& recording, const Burst& burst) {
    return {{"recording", recording.number},
            {"trigger", cause_name(recording.trigger.cause)},
            {"at", utc_of(recording, burst.start)},
            {"start_ns", monotonic_of(recording, burst.start)},
            {"since_sample_ns", burst.since_before.count()},
            {"until_sample_ns", burst.until_next.count()},
            {"port", port_of(recording, burst.output)},
            {"priority", burst.priority},
            {"length_ns", (burst.end - burst.start).count()},
            {"peak_bytes", burst.peak},
            {"peak_after_ns", (burst.peak_at - burst.start).count()},
            {"frames", burst.came},
            {"dropped", burst.dropped},
            {"marked", burst.marked},
            {"xoffs", burst.xoffs},
            {"paused_ns", burst.paused.count()},
            {"began_before", burst.is_older},
            {"goes_on", burst.goes_on},
            {"fed_by", feeders_of(recording, burst)}};
}

std::size_t entry_count(const Recording& recording) {
    std::size_t sum = 0;
    for (const WorkerEntries& worker : recording.workers) sum += worker.entries.size();
    return sum;
}

Json summary_of(const Recording& recording) {
    const RecordTrigger& why = recording.trigger;
    return {{"recording", recording.number},
            {"at", utc_of(recording, why.at)},
            {"trigger_ns", monotonic_of(recording, why.at)},
            {"trigger", cause_name(why.cause)},
            {"port", port_of(recording, why.port)},
            {"priority", number_or_null(why.priority)},
            {"value", why.value},
            {"before_ns", (why.at - recording.begin).count()},
            {"after_ns", (recording.end - why.at).count()},
            {"entries", entry_count(recording)},
            {"bursts", recording.bursts.size()}};
}

// Fields that this kind of entry does not have are null.
Json entry_of(const Recording& recording, std::size_t worker, const RecordEntry& entry) {
    const bool is_path = entry.kind == RecordKind::path;
    const bool is_queue = entry.kind == RecordKind::queue;
    const bool is_group = entry.kind == RecordKind::group;
    const bool is_sample = entry.kind == RecordKind::sample;
    const auto only_if = [](bool has, auto value) { return has ? Json(value) : Json(nullptr); };
    const PortIndex input = is_path || is_group ? recording.port_of[entry.input] : max_ports;
    return Json::array(
        {(entry.time - recording.trigger.at).count(), kinds[static_cast<std::size_t>(entry.kind)],
         worker, port_of(recording, input),
         port_of(recording, is_path || is_queue ? entry.output : PortIndex{max_ports}),
         only_if(!is_sample, entry.priority), only_if(!is_sample, entry.octets),
         only_if(is_path || is_queue, entry.frames), only_if(is_path, entry.came),
         only_if(is_queue, entry.came), only_if(is_path, entry.dropped),
         only_if(is_path, entry.marked), only_if(is_group, entry.came),
         only_if(is_group, entry.headroom), only_if(is_queue || is_group, entry.is_paused != 0),
         only_if(is_sample, entry.distance), only_if(is_sample, entry.longest)});
}
constexpr auto columns = std::to_array<std::string_view>(
    {"time_ns", "kind", "worker", "input", "output", "priority", "bytes", "frames", "came", "left",
     "dropped", "marked", "xoffs", "headroom_bytes", "paused", "since_ns", "longest_ns"});

}  // namespace

Json bursts_snapshot(const View& view, bool) {
    Json rows = Json::array();
    if (view.recorder == nullptr) return rows;
    for (const Recording& recording : view.recorder->recordings()) {
        for (const Burst& burst : recording.bursts) rows.push_back(burst_of(recording, burst));
    }
    return rows;
}

Json recorder_snapshot(const View& view, bool) {
    Json shown{{"recording", false}, {"samples", 0}, {"samples_lost", 0},
               {"made", 0},          {"bursts", 0},  {"recordings", Json::array()}};
    if (view.recorder == nullptr) return shown;
    const RecorderManager& recorder = *view.recorder;
    const RecorderSettings& settings = recorder.settings();
    Json triggers = Json::array();
    for (std::size_t cause = 0; cause < record_causes.size(); ++cause) {
        if (settings.has(static_cast<RecordCause>(cause))) triggers.push_back(record_causes[cause]);
    }
    shown = {{"recording", recorder.is_on()},
             {"period_ns", settings.period.count()},
             {"longest_ns", recorder.longest_distance().count()},
             {"triggers", std::move(triggers)},
             {"depth_bytes", settings.depth.count()},
             {"latency_ns", settings.latency.count()},
             {"before_ns", settings.before.count()},
             {"after_ns", settings.after.count()},
             {"memory_bytes", settings.memory.count()},
             {"samples", recorder.samples()},
             {"samples_lost", recorder.samples_lost()},
             {"made", recorder.made()},
             {"bursts", recorder.bursts()},
             {"recordings", Json::array()}};
    for (const Recording& recording : recorder.recordings()) {
        shown["recordings"].push_back(summary_of(recording));
    }
    return shown;
}

Json recording_page(const Recording& recording, std::size_t from) {
    Json page = summary_of(recording);
    Json found = Json::array();
    for (const Burst& burst : recording.bursts) found.push_back(burst_of(recording, burst));
    page["found"] = std::move(found);
    page["columns"] = columns;
    Json rows = Json::array();
    std::size_t number = 0;
    for_each_entry(recording, [&](std::size_t worker, const RecordEntry& entry) {
        const std::size_t at = number++;
        if (at < from || rows.size() == most_entries_of_a_page) return;
        rows.push_back(entry_of(recording, worker, entry));
    });
    const std::size_t next = from + rows.size();
    page["rows"] = std::move(rows);
    page["next"] = next < number ? Json(next) : Json(nullptr);
    return page;
}

}  // namespace sluice::control
