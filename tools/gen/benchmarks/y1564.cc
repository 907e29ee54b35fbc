#include "tools/gen/benchmarks/y1564.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "tools/common/quantities.h"

namespace sluice::gen {
namespace {

constexpr std::array<double, 4> cir_shares = {0.25, 0.5, 0.75, 1};
constexpr double overshoot = 1.25;
// Share of CIR. If EIR is less, the policing test overshoots CIR, not EIR.
constexpr double little_excess = 0.2;
constexpr int most_tries = 3;
constexpr double nearly_all = 0.99;  // share of the requested rate that must be offered

double octets_of(const Service& service) { return service.stream.sender.pattern.frames.mean(); }

std::string bits(const Service& service, double fps) {
    return cli::show_rate(fps * 8 * octets_of(service));
}

// Returns the rate in bits a second on the wire; for a mix of lengths in frames a second, as a step
// is too short to reach the mean length of the mix.
Rate rate_of(const Service& service, double fps) {
    if (service.stream.sender.pattern.frames.count > 1) {
        return Rate::frames(std::max(std::llround(fps), 1LL));
    }
    const double wire = fps * 8 * (octets_of(service) + Pacer::preamble_and_gap);
    return Rate::bits(std::max(std::llround(wire), 1LL));
}

Stream stream_at(const Service& service, double fps) {
    Stream stream = service.stream;
    stream.sender.rate = rate_of(service, fps);
    return stream;
}

void judge_limits(const Service& service, ServiceStep& step) {
    const auto above = [&](std::string_view what, double value, const std::optional<Nanos>& most) {
        if (!most || value <= static_cast<double>(most->count())) return;
        step.faults.push_back(fmt::format("{} {} is above {}", what, cli::show_nanos(value),
                                          cli::show_nanos(static_cast<double>(most->count()))));
    };
    if (step.loss() > service.max_loss) {
        step.faults.push_back(fmt::format("loss {:.4g} % is above {:.4g} %", 100 * step.loss(),
                                          100 * service.max_loss));
    }
    above("latency", step.latency.mean, service.max_latency);
    above("variation", static_cast<double>(step.variation()), service.max_variation);
}

void judge_rate(const Service& service, ServiceStep& step) {
    if (step.received_fps < nearly_all * service.cir_fps * (1 - service.max_loss)) {
        step.faults.push_back(fmt::format("only {} of the committed {} arrived",
                                          bits(service, step.received_fps),
                                          bits(service, service.cir_fps)));
    }
    const double most = (service.cir_fps + service.eir_fps) * (1 + service.policing.value_or(0));
    if (step.test == "policing" && step.received_fps > most) {
        step.faults.push_back(fmt::format("received rate {} is above {}",
                                          bits(service, step.received_fps), bits(service, most)));
    }
}

bool was_offered(const ServiceStep& step) {
    return step.offered_fps >= nearly_all * step.asked_fps;
}

void judge(const Service& service, ServiceStep& step) {
    if (!was_offered(step)) {
        step.faults.push_back(fmt::format("only {} of {} was offered: the sender is too slow",
                                          bits(service, step.offered_fps),
                                          bits(service, step.asked_fps)));
    }
    if (step.lost == step.offered) {
        step.faults.emplace_back("nothing arrived");
    } else if (step.test == "cir" || step.test == "performance") {
        judge_limits(service, step);
    } else {
        judge_rate(service, step);
    }
}

ServiceStep step_of(const Service& service, std::string_view test, double fps,
                    const FlowResult& flow, double seconds) {
    const FrameMix& frames = service.stream.sender.pattern.frames;
    ServiceStep step;
    step.test = test;
    step.load = fps / service.cir_fps;
    step.asked_fps = frames_a_second(rate_of(service, fps), frames).value();
    step.offered_fps = static_cast<double>(flow.offered) / seconds;
    step.received_fps = static_cast<double>(flow.delivered) / seconds;
    step.offered = flow.offered;
    step.lost = flow.lost();
    step.latency = flow.latency;
    judge(service, step);
    return step;
}

bool has_passed(const ServiceStep& step) { return step.faults.empty(); }

class ActivationTest {
  public:
    ActivationTest(const Y1564Settings& settings, const RunStreams& run, const Say& say)
        : settings_(settings), run_(run), say_(say) {}

    // Each returns false if the test was interrupted.
    bool configure();
    bool perform();

    Y1564 found;

  private:
    bool configure(const Service& service, ServiceResult& result);
    void report_progress(const Service& service, const ServiceStep& step) {
        say_(fmt::format(
            "{}, {} at {}: {}", service.stream.name, step.test, bits(service, step.asked_fps),
            has_passed(step) ? "passed" : fmt::format("FAILED: {}", fmt::join(step.faults, "; "))));
    }

    const Y1564Settings& settings_;
    const RunStreams& run_;
    const Say& say_;
};

bool ActivationTest::configure(const Service& service, ServiceResult& result) {
    const auto try_at = [&](std::string_view test, double fps) {
        ServiceStep step;
        for (int tries = 0; tries == 0 || (tries < most_tries && !was_offered(step)); ++tries) {
            const auto trial = run_({stream_at(service, fps)}, settings_.step);
            if (!trial) return false;
            const Summary& summary = trial->summary;
            step = step_of(service, test, fps, summary.results.flows.at(0), summary.seconds);
            report_progress(service, step);
        }
        result.configuration.push_back(std::move(step));
        return true;
    };
    for (const double share : cir_shares) {
        if (!try_at("cir", share * service.cir_fps)) return false;
    }
    const auto [cir, eir] = std::pair(service.cir_fps, service.eir_fps);
    if (eir > 0 && !try_at("eir", cir + eir)) return false;
    if (!service.policing) return true;
    return try_at("policing",
                  eir < little_excess * cir ? overshoot * cir + eir : cir + overshoot * eir);
}

bool ActivationTest::configure() {
    return std::ranges::all_of(settings_.services, [&](const Service& service) {
        return configure(service, found.services.emplace_back());
    });
}

bool ActivationTest::perform() {
    std::vector<Stream> streams;
    std::ranges::transform(
        settings_.services, std::back_inserter(streams),
        [](const Service& service) { return stream_at(service, service.cir_fps); });
    const auto trial = run_(streams, settings_.performance);
    if (!trial) return false;
    const Summary& summary = trial->summary;
    for (std::size_t n = 0; n < streams.size(); ++n) {
        const Service& service = settings_.services[n];
        found.services[n].performance = step_of(service, "performance", service.cir_fps,
                                                summary.results.flows.at(n), summary.seconds);
        report_progress(service, *found.services[n].performance);
    }
    return true;
}

}  // namespace

bool Y1564::configured() const {
    return std::ranges::all_of(services, [](const ServiceResult& service) {
        return std::ranges::all_of(service.configuration, has_passed);
    });
}

bool Y1564::passed() const {
    return complete && configured() &&
           std::ranges::all_of(services, [](const ServiceResult& service) {
               return service.performance && has_passed(*service.performance);
           });
}

Y1564 run_y1564(const Y1564Settings& settings, const RunStreams& run, const Say& say) {
    ActivationTest test(settings, run, say);
    test.found.complete = test.configure();
    if (test.found.complete && test.found.configured()) test.found.complete = test.perform();
    return std::move(test.found);
}

}  // namespace sluice::gen
