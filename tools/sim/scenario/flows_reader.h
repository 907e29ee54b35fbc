// FlowsReader: reads the flows of a file, and the traces that they name.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/host_names.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

class FlowsReader {
  public:
    // `far`: the distances of the switches (layout.h); if empty, paths cannot be checked. Traces
    // are in `folder`; their faults are added to `of_traces`.
    FlowsReader(Fields& file, const HostNames& names, const NetworkScenario& scenario,
                const std::vector<std::vector<int>>& far, std::string folder,
                std::vector<config::Fault>& of_traces)
        : file_(file),
          names_(names),
          scenario_(scenario),
          far_(far),
          folder_(std::move(folder)),
          of_traces_(of_traces) {}

    std::vector<FlowSpec> read();

  private:
    FlowSpec flow_of(Fields& fields, std::size_t index);
    void read_hosts(Fields& fields, FlowSpec& spec);
    static void read_transport(Fields& fields, Flow& flow);
    static void read_sizes(Fields& fields, FlowSpec& spec);
    void read_trace_of(Fields& fields, FlowSpec& spec);
    [[nodiscard]] bool leads(std::size_t from, std::size_t to) const;
    void check_ways(Fields& fields, const FlowSpec& spec);
    void check_windows(Fields& fields, const FlowSpec& spec);
    void check_draws(Fields& fields, const FlowSpec& spec);

    Fields& file_;
    const HostNames& names_;
    const NetworkScenario& scenario_;
    const std::vector<std::vector<int>>& far_;
    std::string folder_;
    std::vector<config::Fault>& of_traces_;
};

}  // namespace sluice::sim
