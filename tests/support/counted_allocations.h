// Counts every allocation of the program that it is linked into: it replaces operator new, and the
// linker redirects malloc and its relatives to it (--wrap, in the executable's meson.build).
#pragma once

namespace sluice::test {

// Returns the number of allocations since the start of the program.
int allocations();

}  // namespace sluice::test
