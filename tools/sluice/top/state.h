// State: the user's choices in `sluice top`, and the effect of keys on them.
// Bound: an interval of 0.1 to 60 s; a first line that exists. No terminal, no clock.
#pragma once

#include <cstddef>

#include "tools/sluice/top/page.h"

namespace sluice::cli::top {

struct State {
    std::size_t view = 0;
    Order order;
    double every = 1;  // seconds
    bool is_held = false;
    bool shows_help = false;
    bool ends = false;
    std::size_t first = 0;  // first line that is shown

    // The drawn page: the number of visible columns, of lines, and of lines that fit.
    struct Seen {
        std::size_t columns = 0;
        std::size_t lines = 0;
        std::size_t shown = 0;
    };
    void handle_key(int key, const Seen& seen);
};

}  // namespace sluice::cli::top
