#include <benchmark/benchmark.h>

#include "tests/bench/report.h"

namespace sluice::bench {
namespace {

class Medians final : public benchmark::BenchmarkReporter {
  public:
    explicit Medians(Report& report) : report_(report) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.aggregate_name != "median") continue;
            nlohmann::ordered_json fields;
            for (const auto& [name, counter] : run.counters) fields[name] = counter.value;
            fields["ns"] = run.GetAdjustedRealTime();
            report_.add(run.run_name.function_name, fields);
        }
    }

  private:
    Report& report_;
};

}  // namespace

int run_parts(int count, char** arguments) {
    Report report(count, arguments);
    Medians medians(report);
    std::string repetitions = "--benchmark_repetitions=9";
    std::string shortness = "--benchmark_min_time=0.05";
    std::vector<char*> words = {arguments[0], repetitions.data(), shortness.data()};
    int words_count = static_cast<int>(words.size());
    benchmark::Initialize(&words_count, words.data());
    benchmark::RunSpecifiedBenchmarks(&medians);
    return 0;
}

}  // namespace sluice::bench
