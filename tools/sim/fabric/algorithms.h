// Algorithms: table of the matchers by name; each has a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tools/sim/fabric/matcher.h"

namespace sluice::sim {

struct Tuning {
    unsigned ports = 16;
    unsigned iterations = 4;  // only for algorithms that iterate
    unsigned window = 16;     // slots; only for sw_qps; at most max_window
    uint64_t seed = 1;        // only for randomised algorithms
};
inline constexpr unsigned max_window = 64;  // a set of slots is one word

using Made = std::unique_ptr<Matcher>;
Made make_islip(const Tuning& tuning);
Made make_pim(const Tuning& tuning);
Made make_rrm(const Tuning& tuning);
Made make_ilqf(const Tuning& tuning);
Made make_serena(const Tuning& tuning);
Made make_sw_qps(const Tuning& tuning);
Made make_mwm(const Tuning& tuning);
Made make_fifo(const Tuning& tuning);
Made make_oq(const Tuning& tuning);

struct Algorithm {
    std::string_view name;
    std::string_view help;
    Made (*make)(const Tuning& tuning);
    bool iterates = false;
};

std::span<const Algorithm> algorithms();
// Returns null if no algorithm has that name.
const Algorithm* find_algorithm(std::string_view name);

}  // namespace sluice::sim
