// Records: an input of a fuzz target taken apart: an octet that says what happens, an octet of
// length, and as many octets, or those that are left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::test {

// `take(what, octets)` for each in turn. What is too short for a record ends them.
template <class Take>
void for_each_record(std::span<const uint8_t> input, Take take) {
    while (input.size() >= 2) {
        const std::size_t length = std::min<std::size_t>(input[1], input.size() - 2);
        take(input[0], input.subspan(2, length));
        input = input.subspan(2 + length);
    }
}

}  // namespace sluice::test
