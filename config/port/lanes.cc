#include "config/port/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "dataplane/types/limits.h"

namespace sluice::config {

namespace {

// Reads `queues=` from the device string, whatever the kind of device.
std::size_t queues_of(std::string_view device) {
    constexpr std::string_view option = ",queues=";
    const std::size_t at = device.find(option);
    std::size_t queues = 1;
    if (at != device.npos) {
        const std::string_view rest = device.substr(at + option.size());
        std::from_chars(rest.data(), rest.data() + rest.size(), queues);
    }
    return queues;
}

std::size_t places(const Value& file) {
    const Value& ports = file["hotplug"]["ports"];
    return ports.valid ? static_cast<std::size_t>(ports.number) : 0;
}

void check_workers(const Value& port, const Value& count, Report& report) {
    const Value& lanes = port["lanes"];
    for (const Value& lane : lanes.items) {
        if (lane.number < count.number) continue;
        report.add(lane.at, lane.path, fmt::format("there is no worker {}", lane.number),
                   fmt::format("write 0 to {}, or raise workers.count", count.number - 1));
    }
    const Value& worker = port["worker"];
    const int64_t first = lanes.items.front().number;
    if (!worker.written || !worker.valid || worker.number == first) return;
    report.add(worker.at, worker.path,
               fmt::format("is {}, but the first of lanes is worker {}", worker.number, first),
               "leave it out, or begin lanes with it");
}

void check_queues(const Value& port, Report& report) {
    const Value& lanes = port["lanes"];
    if (!port["device"].valid) return;
    const std::size_t queues = queues_of(port["device"].text);
    if (lanes.items.size() <= queues) return;
    report.add(
        lanes.at, lanes.path,
        fmt::format("names {} receive queues of a device with {} queue{}", lanes.items.size(),
                    queues, queues == 1 ? "" : "s"),
        fmt::format("write queues={} in its device, where it has as many", lanes.items.size()));
}

}  // namespace

void check_lanes(const Value& file, Report& report) {
    const Value& count = file["workers"]["count"];
    const std::vector<Value>& ports = file["ports"].items;
    std::size_t inputs = std::max(ports.size(), places(file));
    for (const Value& port : ports) {
        const Value& lanes = port["lanes"];
        if (!lanes.valid || lanes.items.empty()) continue;
        if (count.valid) check_workers(port, count, report);
        check_queues(port, report);
        const bool fitted = inputs <= max_ports;
        inputs += lanes.items.size() - 1;
        if (!fitted || inputs <= max_ports) continue;
        report.add(lanes.at, lanes.path,
                   fmt::format("makes {} inputs of {} ports and their further lanes", inputs,
                               std::max(ports.size(), places(file))),
                   fmt::format("name {} fewer{}", inputs - max_ports,
                               places(file) > ports.size() ? ", or lower hotplug.ports" : ""));
    }
}

std::vector<LaneSettings> further_lanes(const Value& file) {
    std::vector<LaneSettings> further;
    const std::vector<Value>& ports = file["ports"].items;
    for (std::size_t port = 0; port < ports.size(); ++port) {
        const std::vector<Value>& lanes = ports[port]["lanes"].items;
        for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
            further.push_back({.port = static_cast<PortIndex>(port),
                               .worker = static_cast<WorkerIndex>(lanes[lane].number)});
        }
    }
    return further;
}

}  // namespace sluice::config
