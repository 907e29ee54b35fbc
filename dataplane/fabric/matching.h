// Matching: what every matching algorithm is given and gives.
//
// Requests are bits: of output j at priority p, one bit for each input with frames waiting for it.
// Only inputs in `inputs` and outputs in `outputs` may be matched, and at priority p only those in
// `open[p]`, which are of these; of other outputs nothing is looked at. A matching gives each
// output at most one input and each input at most one output. Algorithms that weigh are also told
// what came last, and how much waits. A seam: another algorithm is another Matcher, named in
// matchers.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/counters.h"
#include "dataplane/limits.h"

namespace sluice {

// The requests to one output: a cache line.
struct alignas(64) RequestRow {
    std::array<PortSet, max_priorities> inputs{};
};

// For which output, and at which priority, a frame came last to each of `inputs`.
struct Arrivals {
    PortSet inputs = 0;
    std::array<PortIndex, max_ports> output{};
    std::array<Priority, max_ports> priority{};
};

// How much waits in each VOQ, in whatever unit: read where the VOQs keep it.
struct Backlogs {
    std::array<const Counter*, max_ports> first{};  // of each input: output 0, priority 0
    // From there to the next, in octets.
    std::size_t to_next_output = 0;
    std::size_t to_next_priority = 0;

    [[nodiscard]] uint64_t of(PortIndex input, PortIndex output, Priority priority) const {
        const auto* const start = reinterpret_cast<const std::byte*>(first[input]);
        const std::size_t way = output * to_next_output + priority * to_next_priority;
        return reinterpret_cast<const Counter*>(start + way)->value();
    }
};

struct Requests {
    const RequestRow* rows = nullptr;  // one an output
    std::size_t ports = 0;
    PortSet inputs = 0;
    PortSet outputs = 0;
    std::array<PortSet, max_priorities> open{};
    // Weighted rule: this priority goes before the others; no_favourite: strict, 7 to 0.
    Priority favourite = no_favourite;

    // Of algorithms that weigh alone.
    Arrivals arrivals;
    Backlogs backlog;

    static constexpr Priority no_favourite = max_priorities;

    // Every output may be matched at every priority.
    void offer_all() {
        outputs = first_ports(ports);
        open.fill(outputs);
    }

    // Order of preference among priorities; the greater goes first.
    [[nodiscard]] uint8_t rank(Priority priority) const {
        return priority == favourite ? uint8_t{max_priorities} : priority;
    }
};

struct Matching {
    PortSet matched = 0;                        // inputs
    std::array<PortIndex, max_ports> output{};  // of each matched input
    std::array<Priority, max_ports> priority{};

    [[nodiscard]] std::size_t pairs() const {
        return static_cast<std::size_t>(__builtin_popcountll(matched));
    }
    void pair(PortIndex input, PortIndex to, Priority at) {
        matched |= only(input);
        output[input] = to;
        priority[input] = at;
    }
};

class Matcher {
  public:
    virtual ~Matcher() = default;
    virtual void set_iterations(unsigned iterations) = 0;  // of iSLIP
    virtual void match(const Requests& requests, Matching& matching) = 0;
};

}  // namespace sluice
