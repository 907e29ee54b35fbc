#include "tools/sim/fabric/voqs.h"

#include <cassert>
#include <numeric>

namespace sluice::sim {

Voqs::Voqs(unsigned ports, std::size_t cells_an_input)
    : ports_(ports), cells_an_input_(cells_an_input), queues_(ports * ports) {}

uint32_t Voqs::free_cell() {
    if (free_ == none) {
        cells_.emplace_back();
        return static_cast<uint32_t>(cells_.size() - 1);
    }
    const uint32_t cell = free_;
    free_ = cells_[cell].next;
    return cell;
}

bool Voqs::push(PortIndex input, PortIndex output, Slot now) {
    assert(input < ports_ && output < ports_ && held_[input] <= cells_an_input_);
    if (held_[input] == cells_an_input_) return false;
    const uint32_t cell = free_cell();
    cells_[cell] = {now, none};
    Queue& queue = queues_[input * ports_ + output];
    if (queue.length.value() == 0) {
        queue.first = cell;
        inputs_for_[output] |= only(input);
        outputs_of_[input] |= only(output);
    } else {
        cells_[queue.last].next = cell;
    }
    queue.last = cell;
    queue.length.add(1);
    ++held_[input];
    return true;
}

Slot Voqs::pop(PortIndex input, PortIndex output) {
    Queue& queue = queues_[input * ports_ + output];
    assert(queue.length.value() > 0 && "a matching pairs only where cells wait");
    const uint32_t cell = queue.first;
    queue.first = cells_[cell].next;
    cells_[cell].next = free_;
    free_ = cell;
    assert(held_[input] > 0);
    --held_[input];
    queue.length.subtract(1);
    if (queue.length.value() == 0) {
        inputs_for_[output] &= ~only(input);
        outputs_of_[input] &= ~only(output);
    }
    return cells_[cell].arrived;
}

uint64_t Voqs::waiting() const { return std::accumulate(held_.begin(), held_.end(), uint64_t{0}); }

}  // namespace sluice::sim
