#include "tools/sim/fabric/algorithms.h"

#include <algorithm>
#include <array>

namespace sluice::sim {

namespace {

constexpr std::array all = {
    Algorithm{"islip", "iSLIP, implemented in the switch", make_islip, true},
    Algorithm{"pim", "parallel iterative matching: random grants and accepts", make_pim, true},
    Algorithm{"rrm", "round-robin matching: iSLIP's forerunner, whose pointers always move",
              make_rrm, true},
    Algorithm{"ilqf", "iterative longest queue first", make_ilqf, true},
    Algorithm{"serena", "merges the arrivals with the last matching; implemented in the switch",
              make_serena},
    Algorithm{"sw_qps", "queue-proportional sampling in a sliding window", make_sw_qps},
    Algorithm{"mwm", "maximum weight matching by queue length: the reference", make_mwm},
    Algorithm{"fifo", "one FIFO an input: head-of-line blocking", make_fifo},
    Algorithm{"oq", "output-queued: no matching, the least possible delay", make_oq},
};

}  // namespace

std::span<const Algorithm> algorithms() { return all; }

const Algorithm* find_algorithm(std::string_view name) {
    const auto* const found = std::ranges::find(all, name, &Algorithm::name);
    return found == all.end() ? nullptr : found;
}

}  // namespace sluice::sim
