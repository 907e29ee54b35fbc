#include "tools/sim/scenario/credit_priorities.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/sim/network/frame_layout.h"
#include "tools/sim/scenario/classified.h"

namespace sluice::sim {

namespace {

// Fields of a frame on a cable that decide its priority.
struct Marks {
    std::optional<uint8_t> pcp;
    std::optional<uint8_t> dscp;
};

Priority taken_to(const PortSettings& port, const Marks& marks) {
    FrameHeader header = header_of({.format = port.format,
                                    .from = source_of(0),
                                    .pcp = marks.pcp.value_or(0),
                                    .tagged = marks.pcp.has_value(),
                                    .ip = marks.dscp.has_value()});
    if (marks.dscp) {
        header[type_at_of(header) + 3] = static_cast<uint8_t>(*marks.dscp << 2);
    }
    return classified(port, header);
}

std::string text_of(const Marks& marks) {
    return (marks.pcp ? fmt::format("PCP {}", *marks.pcp) : std::string("no tag")) +
           (marks.dscp ? fmt::format(" and DSCP {}", *marks.dscp) : "");
}

class CreditPriorities {
  public:
    CreditPriorities(const NetworkScenario& scenario, Fields& file)
        : scenario_(scenario), file_(file) {
        std::set<uint8_t> dscps = {0};
        for (const SwitchSpec& node : scenario.switches) {
            for (const PortSettings& port : node.settings.ports) {
                for (const uint8_t dscp : port.remark.dscp) {
                    if (dscp != RemarkSettings::as_it_came) dscps.insert(dscp);
                }
            }
        }
        for (uint8_t pcp = 0; pcp <= max_priorities; ++pcp) {
            Marks marks;
            if (pcp < max_priorities) marks.pcp = pcp;
            all_.push_back(marks);
            for (const uint8_t dscp : dscps) all_.push_back({marks.pcp, dscp});
        }
    }

    void check() {
        for (const LinkSpec& link : scenario_.links) {
            if (link.cable.flow_control != FlowControl::credit) continue;
            if (!from_switch(link.from, link.to) || !from_switch(link.to, link.from)) return;
        }
    }

  private:
    bool from_switch(const Place& from, const Place& to) {
        const std::vector<PortSettings>& inputs = scenario_.switches[from.node].settings.ports;
        const RemarkSettings& remark = inputs[from.port].remark;
        for (const PortSettings& input : inputs) {
            for (Marks marks : all_) {
                const Priority spent = taken_to(input, marks);
                if (marks.pcp) marks.pcp = remarked(remark.pcp[spent], *marks.pcp);
                if (marks.dscp) marks.dscp = remarked(remark.dscp[spent], *marks.dscp);
                if (!is_its_own(to, marks, spent)) return false;
            }
        }
        return true;
    }
    static uint8_t remarked(uint8_t value, uint8_t came) {
        return value == RemarkSettings::as_it_came ? came : value;
    }

    bool is_its_own(const Place& place, const Marks& marks, Priority spent) {
        const SwitchSpec& node = scenario_.switches[place.node];
        const PortSettings& port = node.settings.ports[place.port];
        const Priority taken = taken_to(port, marks);
        if (taken == spent || (port.pfc.lossless & only_priority(taken)) == 0) return true;
        file_.fault(file_.has("switch") ? "switch" : "switches",
                    fmt::format("{} of {} maps frames with {} to lossless priority {}, but the "
                                "peer sends them on credit of priority {}",
                                node.ports[place.port], node.name, text_of(marks), taken, spent),
                    fmt::format("map them to {}, or to a priority that is not lossless", spent));
        return false;
    }

    const NetworkScenario& scenario_;
    Fields& file_;
    std::vector<Marks> all_;
};

}  // namespace

void check_credit_priorities(const NetworkScenario& scenario, Fields& file) {
    CreditPriorities(scenario, file).check();
}

}  // namespace sluice::sim
