#include "config/protocols/sflow.h"

#include <fmt/format.h>

#include "config/yaml/endpoint.h"

namespace sluice::config {

void check_sflow(const Value& file, Report& report) {
    const Value& sflow = file["sflow"];
    const Value& agent = sflow["agent"];
    if (agent.written && agent.valid && ip_address(agent.text).empty()) {
        report.add(agent.at, agent.path,
                   fmt::format("{} is neither IPv4 nor IPv6", in_quotes(agent.text)),
                   "write an address such as 192.0.2.1 or 2001:db8::1");
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
