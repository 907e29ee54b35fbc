// Serena: keeps a good matching and improves it by new arrivals (Giaccone, Prabhakar and Shah,
// "Randomized Scheduling Algorithms for High-Aggregate Bandwidth Switches", IEEE Journal on
// Selected Areas in Communications 21(4), 2003).
//
// The last arrival at each input is a candidate pair; among several for one output, the one with
// the longest queue. Candidates and the last matching are merged: their union consists of paths and
// cycles, and the half of each with the longer queues is kept. Then each output that is still free
// gets an input that requests it, so that no port that could be matched is idle. (The paper adds
// pairs without frames, only to complete the matching.) Because it prefers long queues, Serena
// carries all of an admissible traffic of which iSLIP carries 80 %.
// Priorities are matched in order of rank, each with a remembered matching of its own: a lower
// priority is matched only among the ports that no higher one uses.
// Bound: for each requested priority, a few steps for each output that can be matched. One slot in
// `turn_of_islip` uses iSLIP, since preferring long queues alone would starve short ones: a request
// that stays, of the highest priority at its input and output, is served within
// turn_of_islip x ports^2 slots.
#pragma once

#include <array>

#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/matching.h"

namespace sluice {

class Serena final : public Matcher {
  public:
    static constexpr unsigned turn_of_islip = 64;

    explicit Serena(unsigned iterations) : islip_(iterations) {}
    void set_iterations(unsigned iterations) override { islip_.set_iterations(iterations); }
    void match(const Requests& requests, Matching& matching) override;

  private:
    static constexpr PortIndex nobody = max_ports;

    // A matching of one priority that is kept from slot to slot.
    struct Memory {
        Memory() {
            output_of.fill(nobody);
            input_of.fill(nobody);
        }
        void pair(PortIndex input, PortIndex output);

        std::array<PortIndex, max_ports + 1> output_of;  // the last element is for `nobody`
        std::array<PortIndex, max_ports + 1> input_of;
    };
    class PriorityMatching;

    unsigned slot_ = 0;
    Islip islip_;
    std::array<Memory, max_priorities> last_;
};

}  // namespace sluice
