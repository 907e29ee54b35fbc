// FlowsReader: what a file says of who sends what to whom.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/host_names.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

class FlowsReader {
  public:
    // `far` is the switches' distances (layout.h); empty: no way can be judged.
    FlowsReader(Fields& file, const HostNames& names, const NetworkScenario& scenario,
                const std::vector<std::vector<int>>& far)
        : file_(file), names_(names), scenario_(scenario), far_(far) {}

    std::vector<FlowSpec> read();

  private:
    FlowSpec flow_of(Fields& fields, std::size_t index);
    void check_ways(Fields& fields, const FlowSpec& spec);

    Fields& file_;
    const HostNames& names_;
    const NetworkScenario& scenario_;
    const std::vector<std::vector<int>>& far_;
};

}  // namespace sluice::sim
