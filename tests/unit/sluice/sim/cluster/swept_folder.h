// SweptFolder: the folder of a small sweep, for a test; it goes with the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "tools/sluice/sim/cluster/atomic_file.h"
#include "tools/sluice/sim/cluster/folder.h"

namespace sluice::cli::test {

class SweptFolder {
  public:
    // A sweep of so many seeds.
    explicit SweptFolder(std::size_t runs) {
        std::string made = "/tmp/sluice-sweep-XXXXXX";
        top_ = ::mkdtemp(made.data());
        Swept seeds{"run.seed", {}};
        for (std::size_t n = 1; n <= runs; ++n) seeds.values.push_back(std::to_string(n));
        sweep_ = {.file = (top_ / "pair.yaml").string(), .text = text, .changes = {}};
        sweep_.swept.push_back(std::move(seeds));
        EXPECT_EQ(write_atomically(sweep_.file, text), "");
    }
    SweptFolder(const SweptFolder&) = delete;
    SweptFolder& operator=(const SweptFolder&) = delete;
    ~SweptFolder() { std::filesystem::remove_all(top_); }

    [[nodiscard]] const std::filesystem::path& top() const { return top_; }
    [[nodiscard]] std::string path() const { return (top_ / "sweep").string(); }
    [[nodiscard]] const Sweep& sweep() const { return sweep_; }
    [[nodiscard]] SweepFolder open() const { return SweepFolder::of(path(), sweep_, {}).value(); }

    // An outcome with made-up figures.
    static Outcome outcome(std::size_t run) {
        Outcome outcome{.state = Outcome::State::complete};
        outcome.rows.push_back({{"sent", run}, {"ledger_balanced", true}});
        return outcome;
    }

  private:
    static constexpr const char* text =
        "topology: {star: {hosts: 2}}\nflows: [{from: h0, to: h1, pattern: poisson}]\n";
    std::filesystem::path top_;
    Sweep sweep_;
};

}  // namespace sluice::cli::test
