#include "tools/sim/scenario/flows_reader.h"

#include <fmt/format.h>

#include <utility>

#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

std::vector<FlowSpec> FlowsReader::read() {
    std::vector<FlowSpec> flows;
    if (file_.written() && !file_.has("flows")) {
        file_.fault("flows", "is missing", "write a list of flows, or nothing happens");
    }
    std::size_t pairs = 0;
    for (Fields& fields : file_.maps("flows", keys::flows)) {
        FlowSpec spec = flow_of(fields, flows.size());
        pairs += spec.from.size() * spec.to.size();
        check_ways(fields, spec);
        flows.push_back(std::move(spec));
    }
    if (pairs > most_pairs) {
        file_.fault("flows", fmt::format("are between {} pairs of hosts", pairs),
                    fmt::format("write {} at the most", most_pairs));
    }
    return flows;
}

FlowSpec FlowsReader::flow_of(Fields& fields, std::size_t index) {
    FlowSpec spec;
    spec.name = fields.has("name") ? fields.text("name") : fmt::format("flow{}", index);
    spec.from = names_.named(fields, "from");
    spec.to = names_.named(fields, "to");
    spec.flow.priority = static_cast<Priority>(fields.number("priority"));
    const int64_t size = fields.number("size");
    spec.flow.mix = {size, fields.has("size_to") ? fields.number("size_to") : size};
    if (spec.flow.mix.longest < size) {
        fields.fault("size_to", "is below size", "write sizes from the least to the most");
    }
    spec.flow.ecn = fields.yes("ecn");
    spec.pace.pace = static_cast<Pace>(fields.number("pattern"));
    if (fields.has("rate")) spec.pace.rate = BitsPerSecond(fields.number("rate"));
    const bool bursts = spec.pace.pace == Pace::bursts || spec.pace.pace == Pace::pulses;
    for (const char* key : {"on", "off"}) {
        if (fields.has(key) && !bursts) {
            fields.fault(key, "is of bursts and pulses alone", "write one of them as pattern");
        }
    }
    spec.pace.on = picos(Nanos(fields.number("on")));
    spec.pace.off = picos(Nanos(fields.number("off")));
    spec.pace.start = picos(Nanos(fields.number("start")));
    spec.pace.stop = picos(Nanos(fields.number("stop")));
    if (spec.pace.stop <= spec.pace.start) {
        fields.fault("stop", "is not after start", "write a later one, or none");
    }
    return spec;
}

// To each from each other.
void FlowsReader::check_ways(Fields& fields, const FlowSpec& spec) {
    bool somebody = !names_.known() || spec.from.empty() || spec.to.empty();
    for (const std::size_t from : spec.from) {
        for (const std::size_t to : spec.to) {
            somebody |= from != to;
            if (far_.empty() || far_[to][scenario_.hosts[from].at.node] >= 0) continue;
            fields.fault("to",
                         fmt::format("no way leads from {} to {}", scenario_.hosts[from].name,
                                     scenario_.hosts[to].name),
                         "write links between their switches");
            return;
        }
    }
    if (!somebody) fields.fault("to", "is who sends", "name another host");
}

}  // namespace sluice::sim
