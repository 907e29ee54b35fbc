#include "dataplane/types/zeroed.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <string>

#include "dataplane/types/counters.h"
#include "dataplane/types/units.h"

namespace sluice {
namespace {

// Returns the resident memory of this process, in pages.
long resident() {
    std::ifstream statm("/proc/self/statm");
    long all = 0;
    long held = 0;
    statm >> all >> held;
    return held;
}

TEST(ZeroedTest, BeginsWithZerosAndKeepsWhatIsWritten) {
    Zeroed<Counter> counters(1000);
    counters[999].add(7);
    counters[999].add(1);
    EXPECT_EQ(counters[998].value(), 0U);
    EXPECT_EQ(counters[999].value(), 8U);
}

TEST(ZeroedTest, TakesNoMemoryForWhatIsNotUsed) {
    mallopt(M_PERTURB, 0);  // with which meson has all memory written
    constexpr std::size_t places = std::size_t{64} << 20 >> 3;  // 64 MiB
    const long before = resident();
    Zeroed<Nanos> times(places);
    times[places / 2] = Nanos(5);
    EXPECT_EQ(times[places - 1], Nanos(0));
    EXPECT_EQ(times[places / 2], Nanos(5));
    EXPECT_LT(resident() - before, 8192) << "of 16384 pages, and what a sanitizer notes of them";
}

}  // namespace
}  // namespace sluice
