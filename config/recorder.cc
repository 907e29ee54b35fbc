#include "config/recorder.h"

#include <fmt/format.h>

#include "config/choices.h"

namespace sluice::config {

namespace {

bool has_trigger(const Value& recorder, RecordCause cause) {
    return recorder["triggers"].lists(static_cast<int64_t>(cause));
}

}  // namespace

void check_recorder(const Value& file, const PortNames& names, Report& report) {
    const Value& recorder = file["recorder"];
    for (const Value& port : recorder["ports"].items) static_cast<void>(names.find(port));
    if (!recorder["triggers"].valid) return;
    const auto needs = [&](const Value& level, RecordCause cause, std::string_view name) {
        if (!level.written || !level.valid || has_trigger(recorder, cause)) return;
        report.add(level.at, level.path, fmt::format("has no meaning without the trigger {}", name),
                   fmt::format("leave it out, or list {} in recorder.triggers", name));
    };
    needs(recorder["latency"], RecordCause::latency, "latency");
    const Value& sample = file["latency"]["sample"];
    if (has_trigger(recorder, RecordCause::latency) && sample.valid && sample.number == 0) {
        report.add(recorder["triggers"].at, recorder["triggers"].path,
                   "latency is a trigger, and no frame is timed",
                   "leave it out, or write latency.sample: 256");
    }
}

PortSet written_ports(const Value& list,
                      const std::map<std::string, PortIndex, std::less<>>& by_name) {
    if (!list.written) return ~PortSet{0};
    PortSet ports = 0;
    for (const Value& port : list.items) ports |= only(by_name.at(port.text));
    return ports;
}

PrioritySet written_priorities(const Value& list) {
    if (!list.written) return 0xFF;
    PrioritySet priorities = 0;
    for (const Value& priority : list.items)
        priorities |= only_priority(static_cast<Priority>(priority.number));
    return priorities;
}

RecorderConfig recorder_config(const Value& recorder,
                               const std::map<std::string, PortIndex, std::less<>>& ports) {
    RecorderConfig config{.enabled = recorder["enabled"].number != 0,
                          .settings = {.period = Nanos(recorder["period"].number),
                                       .before = Nanos(recorder["before"].number),
                                       .after = Nanos(recorder["after"].number),
                                       .memory = Bytes(recorder["memory"].number),
                                       .depth = Bytes(recorder["depth"].number),
                                       .latency = Nanos(recorder["latency"].number)},
                          .keep = static_cast<std::size_t>(recorder["keep"].number)};
    RecorderSettings& settings = config.settings;
    for (const Value& cause : recorder["triggers"].items) {
        settings.causes = static_cast<uint8_t>(settings.causes | 1U << cause.number);
    }
    settings.ports = written_ports(recorder["ports"], ports);
    settings.priorities = written_priorities(recorder["priorities"]);
    return config;
}

}  // namespace sluice::config
