#include "tools/gen/benchmarks/y1564_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tools/common/table.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

using cli::Format;

Json nanos_or_null(const std::optional<Nanos>& limit) {
    return limit ? Json(limit->count()) : Json();
}

Json json_of(const ServiceStep& step, double frame_bits) {
    Json latency = {{"min", step.latency.min}, {"mean", step.latency.mean}};
    latency.update(latency_json(step.latency));
    return {{"test", step.test},
            {"load_percent", std::round(100 * step.load)},
            {"asked_bps", step.asked_fps * frame_bits},
            {"offered_bps", step.offered_fps * frame_bits},
            {"received_bps", step.received_fps * frame_bits},
            {"offered", step.offered},
            {"lost", step.lost},
            {"loss_percent", 100 * step.loss()},
            {"latency_ns", latency},
            {"variation_ns", step.variation()},
            {"passed", step.faults.empty()},
            {"faults", step.faults}};
}

Json json_of(const Service& service) {
    const SenderSettings& sender = service.stream.sender;
    const FrameMix& frames = sender.pattern.frames;
    const double frame_bits = 8 * frames.mean();
    return {{"service", service.stream.name},
            {"from", service.stream.from},
            {"to", sender.pattern.only_to.value()},
            {"frame_bytes", length_json({to_word(frames), frames})},
            {"vlan", sender.vlan},
            {"pcp", std::countr_zero(sender.pattern.priorities)},
            {"cir_bps", service.cir_fps * frame_bits},
            {"eir_bps", service.eir_fps * frame_bits},
            {"max_loss_percent", 100 * service.max_loss},
            {"max_latency_ns", nanos_or_null(service.max_latency)},
            {"max_variation_ns", nanos_or_null(service.max_variation)},
            {"policing_percent", service.policing ? Json(100 * *service.policing) : Json()}};
}

// Returns the verdict of a service whose test was begun; null if it is not known yet.
Json verdict_of(const Json& row) {
    const auto failed = [](const Json& step) { return !step["passed"].get<bool>(); };
    if (std::ranges::any_of(row["configuration"], failed)) return false;
    return row["performance"].is_null() ? Json() : row["performance"]["passed"];
}

constexpr std::array<cli::Column, 9> step_columns = {{
    {"service", "service", Format::text},
    {"test", "test", Format::text},
    {"load %", "load_percent", Format::number},
    {"offered", "offered_bps", Format::rate},
    {"received", "received_bps", Format::rate},
    {"lost", "lost", Format::count},
    {"latency", "latency_ns/mean", Format::nanos},
    {"variation", "variation_ns", Format::nanos},
    {"verdict", "verdict", Format::text},
}};

// Adds a step of the service in `row` to `steps`, the steps of all services, with the service's
// name and the verdict.
void add(Json& steps, const Json& row, Json step) {
    step["service"] = row["service"];
    step["load_percent"] = step["load_percent"].get<int64_t>();
    step["verdict"] = "passed";
    if (!step["passed"].get<bool>()) {
        step["verdict"] = fmt::format(
            "FAILED: {}", fmt::join(step["faults"].get<std::vector<std::string>>(), "; "));
    }
    steps.push_back(std::move(step));
}

}  // namespace

Json Y1564Report::json() const {
    Json rows = Json::array();
    for (std::size_t n = 0; n < settings.services.size(); ++n) {
        const Service& service = settings.services[n];
        const double frame_bits = 8 * service.stream.sender.pattern.frames.mean();
        Json row = json_of(service);
        row.update(
            {{"passed", nullptr}, {"configuration", Json::array()}, {"performance", nullptr}});
        if (n < found.services.size()) {
            const ServiceResult& result = found.services[n];
            for (const ServiceStep& step : result.configuration) {
                row["configuration"].push_back(json_of(step, frame_bits));
            }
            if (result.performance) row["performance"] = json_of(*result.performance, frame_bits);
            row["passed"] = verdict_of(row);
        }
        rows.push_back(std::move(row));
    }
    const auto seconds = [](Nanos time) { return static_cast<double>(time.count()) / 1e9; };
    return {{"ports", ports},
            {"step_seconds", seconds(settings.step)},
            {"performance_seconds", seconds(settings.performance)},
            {"complete", found.complete},
            {"passed", whole()},
            {"y1564", rows}};
}

std::string Y1564Report::text() const {
    Json configuration = Json::array();
    Json performance = Json::array();
    const Json all = json()["y1564"];
    for (const Json& row : all) {
        for (const Json& step : row["configuration"]) add(configuration, row, step);
        if (!row["performance"].is_null()) add(performance, row, row["performance"]);
    }
    std::string text = section("Service configuration, each alone", configuration, step_columns) +
                       section("Service performance, all at once", performance, step_columns);
    if (!found.complete) return text + "\ninterrupted: no verdict\n";
    if (!found.configured()) {
        return text +
               "\nFAILED: a service failed its configuration test, so no performance test was "
               "run\n";
    }
    return text + (whole() ? "\npassed\n" : "\nFAILED: a service failed its performance test\n");
}

std::string Y1564Report::csv() const {
    std::string text = "service,test,load_percent,quantity,value\n";
    constexpr auto in_lead = std::to_array<std::string_view>({"test", "load_percent"});
    const Json all = json()["y1564"];
    for (const Json& row : all) {
        const auto add = [&](const Json& step) {
            text += figures(fmt::format("{},{},{:.0f}", word_of(row["service"]),
                                        word_of(step["test"]), step["load_percent"].get<double>()),
                            step, in_lead);
        };
        for (const Json& step : row["configuration"]) add(step);
        if (!row["performance"].is_null()) add(row["performance"]);
    }
    return text;
}

}  // namespace sluice::gen
