// Voqs: the cells that wait at the inputs, in a FIFO for each pair of input and output.
//
// In a slot, first at most one cell arrives at each input, then the matching is computed, then the
// matched cells depart. A cell that departs in the slot of its arrival has waited 0 slots.
// Bound: 8 octets a cell and `cells_an_input` cells at an input; push refuses further cells. Memory
// grows to the most cells that ever waited.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dataplane/fabric/matching.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

namespace sluice::sim {

using Slot = uint32_t;

// Calls `act` for each member of `set`, lowest first.
template <class Act>
void for_each_port(PortSet set, Act act) {
    for (; set != 0; set &= set - 1) act(static_cast<PortIndex>(std::countr_zero(set)));
}

// Cells that arrived in this slot.
struct Arrivals {
    PortSet inputs = 0;
    std::array<PortIndex, max_ports> output{};  // by input, for each of `inputs`
};

class Voqs {
  public:
    Voqs(unsigned ports, std::size_t cells_an_input);

    // Returns false if the input is full.
    bool push(PortIndex input, PortIndex output, Slot now);
    // Removes the first cell and returns when it arrived. The queue must not be empty.
    Slot pop(PortIndex input, PortIndex output);

    [[nodiscard]] unsigned ports() const { return ports_; }
    // Return the inputs with cells for the output, and the outputs for which the input has cells.
    [[nodiscard]] PortSet inputs_for(PortIndex output) const { return inputs_for_[output]; }
    [[nodiscard]] PortSet outputs_of(PortIndex input) const { return outputs_of_[input]; }
    [[nodiscard]] uint32_t length(PortIndex input, PortIndex output) const {
        return static_cast<uint32_t>(queue(input, output).length.value());
    }
    // Returns when the first cell arrived. The queue must not be empty.
    [[nodiscard]] Slot oldest(PortIndex input, PortIndex output) const {
        return cells_[queue(input, output).first].arrived;
    }
    [[nodiscard]] uint64_t waiting() const;
    // Returns the queue lengths as the dataplane's matchers read them, with all cells in one
    // priority.
    [[nodiscard]] Backlogs backlogs() const {
        Backlogs lengths;
        lengths.to_next_output = sizeof(Queue);
        for (PortIndex input = 0; input < ports_; ++input) {
            lengths.first[input] = &queue(input, 0).length;
        }
        return lengths;
    }

  private:
    struct Cell {
        Slot arrived;
        uint32_t next;
    };
    struct Queue {
        uint32_t first = 0;
        uint32_t last = 0;
        Counter length;
    };
    [[nodiscard]] const Queue& queue(PortIndex input, PortIndex output) const {
        return queues_[input * ports_ + output];
    }
    uint32_t free_cell();

    static constexpr uint32_t none = UINT32_MAX;

    unsigned ports_;
    std::size_t cells_an_input_;
    std::vector<Cell> cells_;
    uint32_t free_ = none;
    std::vector<Queue> queues_;
    std::array<std::size_t, max_ports> held_{};  // cells at each input
    std::array<PortSet, max_ports> inputs_for_{};
    std::array<PortSet, max_ports> outputs_of_{};
};

}  // namespace sluice::sim
