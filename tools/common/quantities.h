// Quantities: formats numbers for people: 1,234,567; 10 Gb/s; 16 MiB; 1.5 ms.
// Bound: at most four significant digits with a unit; counts are exact.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::cli {

std::string show_count(uint64_t count);
std::string show_rate(double bits_per_second);    // powers of 1000
std::string show_size(double octets);             // powers of 1024
std::string show_nanos(double nanoseconds);       // ns, us, ms, s
std::string show_share(double share);             // share of 1, in per cent
std::string show_per_second(double occurrences);  // powers of 1000

}  // namespace sluice::cli
