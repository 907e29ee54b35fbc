// count_of: the number of values of an enum that count from 0, for a table with a row for each.
// Requires an enumerator `last`, which is another name of the last value. To add a value, write it
// before `last` and let `last` name it. Then a table whose size is asserted does not compile until
// it has a row for the value.
#pragma once

#include <cstddef>

namespace sluice {

template <class Enum>
inline constexpr std::size_t count_of = static_cast<std::size_t>(Enum::last) + 1;

}  // namespace sluice
