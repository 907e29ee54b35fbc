// CsigPorts: one worker's state of CSIG at all ports: the ports that update tags, those that strip
// them, and the counts of received frames (csig_tag.h has an overview).
//
// Each worker counts for its own inputs, so the count of a port is the sum over all workers.
// Bound: fixed by the number of ports, and nothing is allocated after the constructor. Only the
// worker calls it; any thread may read counters.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "dataplane/csig/csig_output.h"
#include "dataplane/csig/csig_tag.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class CsigPorts {
  public:
    struct Counts {
        std::array<Counter, csig_faults> faults;  // as an input: faulty tags, which stay unchanged
        Counter stripped;                         // as an output: frames whose tag was removed
        Counter unstripped;                       // as an output: frames whose tag is shared
    };

    explicit CsigPorts(std::size_t ports) : counts_(ports), outputs_(ports) {}

    void configure(const Settings& settings) {
        tags_ = CsigTags(settings.csig);
        is_on_ = settings.csig.is_on();
        updating_ = stripping_ = 0;
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            const PortSettings& about = settings.ports[port];
            const CsigMode mode = about.csig.mode;
            if (mode == CsigMode::update) updating_ |= only(port);
            if (mode == CsigMode::strip) stripping_ |= only(port);
            const bool is_shaped = about.rate.count() > 0;
            const BitsPerSecond capacity =
                is_shaped ? std::min(about.rate, about.speed) : about.speed;
            outputs_[port].configure(settings.csig, about.csig, capacity);
        }
    }
    // Returns whether any TPID is set.
    [[nodiscard]] bool is_on() const { return is_on_; }
    [[nodiscard]] const CsigTags& tags() const { return tags_; }
    [[nodiscard]] PortSet updating() const { return updating_; }
    [[nodiscard]] PortSet stripping() const { return stripping_; }

    void count(PortIndex input, CsigFault why) {
        counts_[input].faults[static_cast<std::size_t>(why) - 1].add(1);
    }
    void count_stripped(PortSet outputs) {
        for_each_port(outputs, [&](PortIndex output) { counts_[output].stripped.add(1); });
    }
    void count_unstripped(PortSet outputs) {
        for_each_port(outputs, [&](PortIndex output) { counts_[output].unstripped.add(1); });
    }
    [[nodiscard]] const Counts& counts(PortIndex port) const { return counts_[port]; }
    // Returns the state of a port that updates signals. The port must belong to this worker.
    CsigOutput& output(PortIndex port) { return outputs_[port]; }
    [[nodiscard]] const CsigOutput& output(PortIndex port) const { return outputs_[port]; }

  private:
    CsigTags tags_;
    bool is_on_ = false;
    PortSet updating_ = 0;
    PortSet stripping_ = 0;
    std::vector<Counts> counts_;
    std::vector<CsigOutput> outputs_;
};

}  // namespace sluice
