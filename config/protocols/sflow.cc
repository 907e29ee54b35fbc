#include "config/protocols/sflow.h"

#include <fmt/format.h>

#include "config/yaml/endpoint.h"

namespace sluice::config {

namespace {

constexpr std::string_view example = "sflow.collectors: [\"192.0.2.9:6343\"]";

}  // namespace

void has_no_meaning_without(const Value& value, std::string_view example_of_key, Report& report) {
    if (!value.written || !value.valid) return;
    report.add(value.at, value.path,
               fmt::format("has no meaning without {}",
                           example_of_key.substr(0, example_of_key.find(':'))),
               fmt::format("leave it out, or write {} or the like", example_of_key));
}

void check_sflow(const Value& file, Report& report) {
    const Value& sflow = file["sflow"];
    const Value& agent = sflow["agent"];
    if (agent.written && agent.valid && ip_address(agent.text).empty()) {
        report.add(agent.at, agent.path,
                   fmt::format("{} is neither IPv4 nor IPv6", in_quotes(agent.text)),
                   "write an address such as 192.0.2.1 or 2001:db8::1");
    }
    const Value& collectors = sflow["collectors"];
    if (!collectors.valid || !collectors.items.empty()) return;
    for (const Value& key : sflow.items) {
        if (key.name != "collectors") has_no_meaning_without(key, example, report);
    }
    for (const Value& port : file["ports"].items) {
        const Value& sampling = port["sflow"]["sampling"];
        if (!sampling.is_of_defaults()) has_no_meaning_without(sampling, example, report);
    }
}

SflowConfig sflow_config(const Value& sflow) {
    SflowConfig config{.agent = ip_address(sflow["agent"].text),
                       .polling = Nanos(sflow["polling"].number)};
    for (const Value& collector : sflow["collectors"].items) {
        config.collectors.push_back(collector.text);
    }
    return config;
}

uint32_t sflow_sampling(const Value& file, const Value& port) {
    const Value& sflow = file["sflow"];
    if (sflow["collectors"].items.empty()) return 0;
    const Value& own = port["sflow"]["sampling"];
    return static_cast<uint32_t>((own.written ? own : sflow["sampling"]).number);
}

}  // namespace sluice::config
