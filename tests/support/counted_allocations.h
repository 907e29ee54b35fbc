// Counts every request for memory of the program that it is linked into: operator new is replaced,
// and the linker sends malloc and its kin here (--wrap, in the executable's meson.build).
#pragma once

namespace sluice::test {

// Returns the number of allocations so far.
int allocations();

}  // namespace sluice::test
