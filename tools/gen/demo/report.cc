#include "tools/gen/demo/report.h"

#include <fmt/format.h>

#include "tools/common/quantities.h"
#include "tools/common/table.h"

namespace sluice::gen {
namespace {

using cli::Format;

Json drops_json(const Tally& tally) {
    Json drops = Json::object();
    for (std::size_t reason = 0; reason < drop_reasons; ++reason) {
        if (tally.drops[reason] > 0)
            drops[std::string(drop_names[reason].name)] = tally.drops[reason];
    }
    return drops;
}

Json phase_json(const PhaseResult& phase) {
    return {{"name", phase.plan.name},
            {"offered", phase.results.offered},
            {"delivered", phase.results.delivered},
            {"lost", phase.results.lost},
            {"mpps", phase.mpps},
            {"drops", drops_json(phase.tally)}};
}

std::string drops_text(const Tally& tally) {
    std::string text;
    const Json drops = drops_json(tally);
    for (const auto& [reason, frames] : drops.items()) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason,
                            cli::show_count(frames.get<uint64_t>()));
    }
    return text.empty() ? "none" : text;
}

std::string phase_text(const PhaseResult& phase) {
    const Results& results = phase.results;
    std::string text = fmt::format("\n{}: {}\n", phase.plan.name, phase.plan.title);
    const double octets_a_frame =
        results.delivered > 0
            ? static_cast<double>(results.octets_delivered) / static_cast<double>(results.delivered)
            : 0;
    text += fmt::format("  throughput  {:.3f} Mpps, {}, for {:.2f} s\n", phase.mpps,
                        cli::show_rate(phase.mpps * 1e6 * octets_a_frame * 8), phase.seconds);
    text += fmt::format("  frames      offered {}, delivered {}, lost {}\n",
                        cli::show_count(results.offered), cli::show_count(results.delivered),
                        cli::show_count(results.lost));
    text += fmt::format("  drops       {}\n", drops_text(phase.tally));
    text += fmt::format("  PFC frames  the switch sent {}, received {}\n",
                        cli::show_count(phase.tally.pauses_sent),
                        cli::show_count(phase.tally.pauses_received));
    text += fmt::format("  latency     {}\n", latency_text(results.latency.quantiles()));
    if (results.reordered + results.duplicates + results.strays > 0) {
        text += fmt::format("  but         {} reordered, {} twice, {} at the wrong port\n",
                            cli::show_count(results.reordered), cli::show_count(results.duplicates),
                            cli::show_count(results.strays));
    }
    if (!phase.quiesced)
        text += "  but         traffic did not stop in time: counts are not exact\n";
    return text;
}

}  // namespace

std::string DemoResult::fault() const {
    for (const PhaseResult& phase : phases) {
        if (!phase.right()) return fmt::format("{}: {}", phase.plan.name, phase.fault());
    }
    if (!ledger.balanced()) return "the ledger of all phases does not balance";
    if (ledger.waiting > 0) return fmt::format("{} frames still wait", ledger.waiting);
    return {};
}

std::string to_text(const DemoResult& demo) {
    std::string text;
    for (const PhaseResult& phase : demo.phases) text += phase_text(phase);
    const Ledger& ledger = demo.ledger;
    text += fmt::format(
        "\nledger: received {} + copied {} + generated {}\n"
        "      = sent {} + dropped {} + waiting {}: {}\n",
        cli::show_count(ledger.received), cli::show_count(ledger.copied),
        cli::show_count(ledger.generated), cli::show_count(ledger.sent),
        cli::show_count(ledger.dropped), cli::show_count(ledger.waiting),
        ledger.balanced() ? "it balances" : "IT DOES NOT BALANCE");
    text +=
        "(dropped counts the PFC frames that the switch received;\n"
        " copied are announcements that it flooded)\n";
    return text;
}

Json to_json(const DemoResult& demo) {
    Json phases = Json::array();
    uint64_t offered = 0;
    uint64_t delivered = 0;
    uint64_t lost = 0;
    uint64_t pauses_sent = 0;
    uint64_t pauses_received = 0;
    double seconds = 0;
    double delivered_meanwhile = 0;  // in millions
    Histogram latency;
    for (const PhaseResult& phase : demo.phases) {
        phases.push_back(phase_json(phase));
        if (phase.plan.may_lose) continue;
        offered += phase.results.offered;
        delivered += phase.results.delivered;
        lost += phase.results.lost;
        pauses_sent += phase.tally.pauses_sent;
        pauses_received += phase.tally.pauses_received;
        seconds += phase.seconds;
        delivered_meanwhile += phase.mpps * phase.seconds;
        latency.merge(phase.results.latency);
    }
    return {{"ports", demo.ports},
            {"seconds", seconds},
            {"offered", offered},
            {"delivered", delivered},
            {"lost", lost},
            {"mpps", seconds > 0 ? delivered_meanwhile / seconds : 0},
            {"pfc_sent", pauses_sent},
            {"pfc_received", pauses_received},
            {"ledger_balanced", demo.ledger.balanced() && demo.ledger.waiting == 0},
            {"latency_ns",
             {{"p50", latency.quantile(0.5)},
              {"p99", latency.quantile(0.99)},
              {"p999", latency.quantile(0.999)}}},
            {"phases", phases}};
}

}  // namespace sluice::gen
