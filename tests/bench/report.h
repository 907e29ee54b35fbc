// Report: what a benchmark found, as a table for people, under a line with machine and commit, or
// one JSON object a line for programs.
//
// Names of keys are relied on: bench, cycles_per_frame, ns, mpps, ports, frame_bytes, workers, dut,
// p50_ns, p99_ns, commit, machine, as they apply. A cycle is one of the time stamp counter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sluice::bench {

class Report {
  public:
    // Understands --json.
    Report(int count, char** arguments);

    void add(const std::string& bench, nlohmann::ordered_json fields);

  private:
    bool json_ = false;
    std::string commit_;
    std::string machine_;
};

// So that one disturbed round does not count.
inline double middle_of(std::vector<double> results) {
    std::ranges::sort(results);
    return results[results.size() / 2];
}
template <class Measure>
double median_of(int rounds, Measure measure) {
    std::vector<double> results;
    for (int round = 0; round < rounds; ++round) results.push_back(measure());
    return middle_of(std::move(results));
}

// What the process used of processors: others on the machine count little in it.
double processor_seconds();

inline uint64_t cycles() { return __builtin_ia32_rdtsc(); }
// Cycles of the time stamp counter a nanosecond, measured.
double cycles_a_nanosecond();

// Runs the Google Benchmarks of this program, nine times each, and reports their medians: `ns` is
// of one iteration, and a counter becomes a field of its own name.
int run_parts(int count, char** arguments);

}  // namespace sluice::bench
