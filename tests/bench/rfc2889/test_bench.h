// TestBench: the device under test and the tester of RFC 2889, and what its tests share: a traffic
// that is sent and counted, findings, and whether all that must hold held.
//
// The device is what sluiced runs, on ring ports, with one worker on its lcore (tools/gen's
// DemoSwitch); the tester is the generator at the other ends of the rings, on another.
// A ring has no speed of its own, so:
// - the maximum offered load is what the switch takes off its rings, and both ends are in the rate;
// - where the RFC wants a line, `line_rate` is one: so fast may a host send and take.
// - the two devices of 5.3 are two VLANs of one process, with a ring between them that is the line:
//   they share a worker and a buffer, which two boxes would not;
// - forward pressure (5.6) is not measured, and reported so: it is of a wire's shortest gaps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/report.h"
#include "tools/gen/demo/phase.h"

namespace sluice::bench::rfc2889 {

using Json = nlohmann::ordered_json;

struct Scale {
    std::size_t ports = 8;  // 4 or more, even
    // RFC 2544 9.1, with FCS.
    std::vector<uint16_t> frame_octets = {64, 128, 256, 512, 1024, 1280, 1518};
    Nanos duration{500'000'000};   // of a trial, unless it is counted in frames
    uint32_t table = 1024 * 1024;  // addresses that the switch is configured for
    uint32_t addresses = 0;        // to learn in 5.8
    int errored_rounds = 100;      // of 5.9

    // For tests: everything once, in a few seconds.
    static Scale quick();
};

// What one test found.
struct Finding {
    std::string test;
    std::string_view section;  // of RFC 2889
    Json fields;
    std::vector<std::string> broken;  // of what must hold

    void must(bool holds, std::string_view what) {
        if (!holds) broken.emplace_back(what);
    }
    // What must hold of another trial of the same test.
    void must_as(const Finding& other) {
        broken.insert(broken.end(), other.broken.begin(), other.broken.end());
    }
};

class TestBench {
  public:
    TestBench(gen::DemoSwitch& device, const Scale& scale, Report& report)
        : device_(device), scale_(scale), report_(report) {}

    [[nodiscard]] gen::DemoSwitch& device() { return device_; }
    [[nodiscard]] const Scale& scale() const { return scale_; }

    // A trial to be filled in: for `duration`, on lossy priority 0, as fast as it goes.
    [[nodiscard]] gen::PhasePlan trial(gen::Shape shape, uint16_t frame_octets);
    gen::PhaseResult run(gen::PhasePlan trial);
    // Until it has sent for `duration` and `seen` says so, or for a minute.
    gen::PhaseResult run_until(gen::PhasePlan trial,
                               const std::function<bool(const gen::Tally& passed)>& seen);

    // The counts of a trial, and what must hold of any.
    [[nodiscard]] static Finding finding_of(std::string test, std::string_view section,
                                            const gen::PhaseResult& result);
    void report(const Finding& finding);
    [[nodiscard]] bool all_held() const { return all_held_; }

    // Of frames so long, in frames a second: half of what a port carried when all were at work.
    [[nodiscard]] gen::Rate line_rate(uint16_t frame_octets) const {
        return lines_.at(frame_octets);
    }
    void set_line_rate(uint16_t frame_octets, gen::Rate rate) { lines_[frame_octets] = rate; }

  private:
    gen::DemoSwitch& device_;
    const Scale scale_;
    Report& report_;
    std::map<uint16_t, gen::Rate> lines_;
    uint16_t next_run_ = 1;
    bool all_held_ = true;
};

}  // namespace sluice::bench::rfc2889
