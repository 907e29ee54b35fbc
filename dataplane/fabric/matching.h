// Matching: the input and output of every matching algorithm.
//
// Requests are bits: for output j at priority p, one bit for each input with frames for it. Only
// inputs in `inputs` and outputs in `outputs` may be matched, and at priority p only outputs in
// `open[p]`, a subset of `outputs`. The rows of other outputs are not read. A matching gives each
// output at most one input and each input at most one output. Algorithms that use queue lengths
// (Crossbar::reads_backlogs) also get the last arrivals and the backlogs. To add an algorithm, add
// a Matcher and name it in matchers.h.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

namespace sluice {

// A set of ports for each priority, in one cache line.
struct alignas(64) PortsByPriority {
    std::array<PortSet, max_priorities> ports{};

    PortSet& operator[](std::size_t priority) { return ports[priority]; }
    const PortSet& operator[](std::size_t priority) const { return ports[priority]; }
    // Returns the priorities whose set contains any of `those`.
    [[nodiscard]] PrioritySet with_any(PortSet those) const {
#ifdef __AVX512F__
        return _mm512_test_epi64_mask(_mm512_load_si512(ports.data()),
                                      _mm512_set1_epi64(static_cast<long long>(those)));
#else
        unsigned priorities = 0;
        for (unsigned priority = 0; priority < max_priorities; ++priority) {
            priorities |= static_cast<unsigned>((ports[priority] & those) != 0) << priority;
        }
        return static_cast<PrioritySet>(priorities);
#endif
    }
};

// The inputs that request one output, by priority.
using RequestRow = PortsByPriority;

// The output and priority of the last frame that each of `inputs` received.
struct Arrivals {
    InputSet inputs = 0;
    std::array<PortIndex, max_ports> output{};
    std::array<Priority, max_ports> priority{};
};

// The backlog of each VOQ, in any unit, read in place.
struct Backlogs {
    std::array<const Counter*, max_ports> first{};  // for each input: output 0, priority 0
    // The distance to the next counter, in octets.
    std::size_t to_next_output = 0;
    std::size_t to_next_priority = 0;

    [[nodiscard]] uint64_t of(InputIndex input, PortIndex output, Priority priority) const {
        const auto* const start = reinterpret_cast<const std::byte*>(first[input.number]);
        const std::size_t way = output * to_next_output + priority * to_next_priority;
        return reinterpret_cast<const Counter*>(start + way)->value();
    }
};

struct Requests {
    const RequestRow* rows = nullptr;  // indexed by output
    std::size_t ports = 0;
    InputSet inputs = 0;
    PortSet outputs = 0;
    PortsByPriority open;  // outputs with room
    // The priority that precedes the others by the weighted rule; no_favourite: strict order, 7 to
    // 0.
    Priority favourite = no_favourite;

    // Set only for algorithms that use queue lengths.
    Arrivals arrivals;
    Backlogs backlog;

    static constexpr Priority no_favourite = max_priorities;

    // Allows every output to be matched at every priority.
    void offer_all() {
        outputs = first_ports(ports);
        open.ports.fill(outputs);
    }

    // Returns the rank of a priority; a greater rank is matched first.
    [[nodiscard]] uint8_t rank(Priority priority) const {
        return priority == favourite ? uint8_t{max_priorities} : priority;
    }
    [[nodiscard]] Priority of_rank(uint8_t rank) const {
        return rank == max_priorities ? favourite : rank;
    }
};

struct Matching {
    InputSet matched = 0;
    std::array<PortIndex, max_ports> output{};  // output of each matched input
    std::array<Priority, max_ports> priority{};

    [[nodiscard]] std::size_t pairs() const {
        return static_cast<std::size_t>(__builtin_popcountll(matched));
    }
    void pair(InputIndex input, PortIndex to, Priority at) {
        assert((matched & only(input)) == 0 && "an input gets one output");
        assert(to < max_ports && at < max_priorities);
        matched |= only(input);
        output[input.number] = to;
        priority[input.number] = at;
    }
};

// Whether each input and output occurs at most once, and each pair was requested.
[[nodiscard]] inline bool answers(const Matching& matching, const Requests& requests) {
    bool is_right = (matching.matched & ~requests.inputs) == 0;
    PortSet taken = 0;
    for_each_input(matching.matched, [&](InputIndex input) {
        const PortIndex output = matching.output[input.number];
        const Priority priority = matching.priority[input.number];
        is_right &= (only(output) & requests.open[priority] & ~taken) != 0;
        is_right &= (requests.rows[output][priority] & only(input)) != 0;
        taken |= only(output);
    });
    return is_right;
}

class Matcher {
  public:
    virtual ~Matcher() = default;
    virtual void set_iterations(unsigned iterations) = 0;  // used by iSLIP
    virtual void match(const Requests& requests, Matching& matching) = 0;
};

}  // namespace sluice
