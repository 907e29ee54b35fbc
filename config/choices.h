// Choices: the words in a file for the values of an enumeration, one row each.
//
// The number of such a key is the index of the row (yaml/scalar.h), which `choice` converts to the
// enumerator. Rows that are not in the order of the enumeration do not compile. A missing row for
// the last enumerator is not detected.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "config/yaml/reader.h"

namespace sluice::config {

template <class Enumeration>
struct ChoiceRow {
    Enumeration value;
    std::string_view word;
};

template <class Enumeration, std::size_t count>
consteval std::array<std::string_view, count> words_of(
    const ChoiceRow<Enumeration> (&rows)[count]) {
    std::array<std::string_view, count> words;
    for (std::size_t row = 0; row < count; ++row) {
        if (static_cast<std::size_t>(rows[row].value) != row) {
            throw "the rows are not in the order of the enumeration";
        }
        words[row] = rows[row].word;
    }
    return words;
}

template <class Enumeration>
Enumeration choice(const Value& value) {
    return static_cast<Enumeration>(value.number);
}

}  // namespace sluice::config
