// Serena: keeps a good matching and betters it by what arrives (Giaccone, Prabhakar and Shah,
// "Randomized Scheduling Algorithms for High-Aggregate Bandwidth Switches", IEEE Journal on
// Selected Areas in Communications 21(4), 2003).
//
// What came last at each input is a candidate, of several for one output the one with the longest
// queue. Candidates and the last matching are merged: their union is paths and cycles, and of each
// the half with the longer queues stays. Then each output that is still free is given an input that
// asks for it, so that nobody idles who could be matched. (The paper fills up with pairs for which
// nothing waits, only to hold its place.) It carries all of an admissible traffic where iSLIP
// carries 80 %, because it prefers long queues.
// Priorities go one after the other by rank, each with a matching of its own to remember: a lower
// one is matched only among the ports that no higher one takes.
// Bound: for each priority that is asked for, a few steps for each output that can be matched. One
// slot in `turn_of_islip` is iSLIP's, since long queues alone would starve short ones: a request at
// its priority's top is served within turn_of_islip x ports^2 slots.
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

        std::array<PortIndex, max_ports + 1> output_of;  // the last of each is nobody's
        std::array<PortIndex, max_ports + 1> input_of;
    };
    class PriorityMatching;

    unsigned slot_ = 0;
    Islip islip_;
    std::array<Memory, max_priorities> last_;
};

}  // namespace sluice
