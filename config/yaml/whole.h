// Whole: converts the number of a value to the integer type of a setting.
#pragma once

#include <array>
#include <cstddef>

#include "config/yaml/reader.h"

namespace sluice::config {

// The number fits, because the schema's range is within that of the type.
template <class Integer>
Integer whole(const Value& value) {
    return static_cast<Integer>(value.number);
}

template <class Element, std::size_t count>
void fill(std::array<Element, count>& to, const Value& list) {
    for (std::size_t index = 0; index < list.items.size(); ++index) {
        to[index] = whole<Element>(list.items[index]);
    }
}

}  // namespace sluice::config
